// Show the loss every 50 steps, not in each step.
//
// Question: A step of ResNet-50 starts several hundred kernels. What does it cost to wait for all of them
// once a step?
//
// To print the loss the host needs its value. On a device it waits until all queued work is done, and while
// it then queues the next step the device idles. Each line is also formatted and written.
//
// When it does not matter: on a CPU nothing is queued, so only the line itself is saved.
//
// The row times a training step on batches of 8 images of 64 x 64: the kept rungs below this one against the
// same with it.

#include "workloads/resnet50/rung.hpp"

namespace workloads::resnet50_log_every_n {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return resnet50::trial(setup, &training::Switches::log_every_n);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "resnet50/log_every_n",
    .claim = "Reading and printing the loss every 50 steps instead of in each shortens a training step of "
             "ResNet-50.",
    .source = {.title = "PyTorch Performance Tuning Guide",
               .url = "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
               .where = "Avoid unnecessary CPU-GPU synchronization"},
    .runs = Runs::session,
    .axes = training::step_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .cuda_tolerance = training::other_order,
    .row_seconds = 90,
    .full_only = true,
});

}  // namespace workloads::resnet50_log_every_n
