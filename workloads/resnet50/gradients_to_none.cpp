// Drop gradients instead of filling them with zeros.
//
// Question: ResNet-50 has 161 parameters with 23.5 million numbers. What does a step pay for zeros to which
// gradients are added?
//
// Zeroing writes every gradient, and the backward pass then reads it, adds to it and writes it again.
// Without a gradient the backward pass stores its result and adds nothing.
//
// When it does not matter: where parameters are few, or where the backward pass takes far longer than passes
// over the parameters. Dropped memory must also be given out again, which an allocator that keeps freed
// blocks does quickly.
//
// The row times a training step on batches of 8 images of 64 x 64: the kept rungs below this one against the
// same with it.

#include "workloads/resnet50/rung.hpp"

namespace workloads::resnet50_gradients_to_none {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return resnet50::trial(setup, &training::Switches::gradients_to_none);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "resnet50/gradients_to_none",
    .claim = "Gradients that are dropped instead of zeroed shorten a training step of ResNet-50.",
    .source = {.title = "PyTorch Performance Tuning Guide",
               .url = "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
               .where = "Use parameter.grad = None instead of model.zero_grad() or optimizer.zero_grad()"},
    .runs = Runs::session,
    .axes = training::step_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .cuda_tolerance = training::other_order,
    .row_seconds = 90,
    .full_only = true,
});

}  // namespace workloads::resnet50_gradients_to_none
