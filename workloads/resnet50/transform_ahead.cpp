// Transform samples once, before training, not each time one is fetched.
//
// Question: A batch is 8 images whose bytes become numbers from -1 to 1. How does that compare with the
// network's step?
//
// What a sample goes through on the way to the network is repeated in every epoch, sample by sample, with a
// handful of small operators each. Done once, a batch is rows copied out of one tensor.
//
// What it costs: memory for all samples as the network wants them, here FP32 instead of bytes, and no random
// augmentation. When it does not matter: where the network takes much longer than its samples, as large
// networks do.
//
// The row times a training step on batches of 8 images of 64 x 64: the kept rungs below this one against the
// same with it.

#include "workloads/resnet50/rung.hpp"

namespace workloads::resnet50_transform_ahead {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return resnet50::trial(setup, &training::Switches::transform_ahead);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "resnet50/transform_ahead",
    .claim = "Samples that are transformed before training shorten a training step of ResNet-50.",
    .source = {.title = "PyTorch, torch.utils.data",
               .url = "https://docs.pytorch.org/docs/stable/data.html",
               .where = "Map-style datasets"},
    .runs = Runs::session,
    .axes = training::step_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .cuda_tolerance = training::other_order,
    .row_seconds = 90,
    .full_only = true,
});

}  // namespace workloads::resnet50_transform_ahead
