// Transform samples once, before training, not each time one is fetched.
//
// Question: A batch is 8 images whose bytes become numbers from -1 to 1. How does that compare with the
// network's step?
//
// Lesson: workloads/training/rungs/transform_ahead.hpp
//
// The row times a training step on batches of 8 images of 64 x 64: the kept rungs below this one against
// those rungs and this change.

#include "workloads/training/rungs/transform_ahead.hpp"

#include "workloads/resnet50/rung.hpp"

namespace workloads::resnet50_transform_ahead {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return resnet50::trial(setup, &training::Switches::transform_ahead);
}

}  // namespace

extern constexpr Step step = checked(training::transform_ahead_step({
    .id = "resnet50/transform_ahead",
    .claim = "Samples that are transformed before training shorten a training step of ResNet-50.",
    .prepare = prepare,
    .row_seconds = 90,
}));

}  // namespace workloads::resnet50_transform_ahead
