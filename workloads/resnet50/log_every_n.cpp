// Show the loss every 50 steps, not in each step.
//
// Question: A step of ResNet-50 starts several hundred kernels. What does it cost to wait for all of them
// once a step?
//
// Lesson: workloads/training/rungs/log_every_n.hpp
//
// The row times a training step on batches of 8 images of 64 x 64: the kept rungs below this one against
// those rungs and this change.

#include "workloads/training/rungs/log_every_n.hpp"

#include "workloads/resnet50/rung.hpp"

namespace workloads::resnet50_log_every_n {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return resnet50::trial(setup, &training::Switches::log_every_n);
}

}  // namespace

extern constexpr Step step = checked(training::log_every_n_step({
    .id = "resnet50/log_every_n",
    .claim = "Reading and printing the loss every 50 steps instead of in each shortens a training step of "
             "ResNet-50.",
    .prepare = prepare,
    .row_seconds = 90,
}));

}  // namespace workloads::resnet50_log_every_n
