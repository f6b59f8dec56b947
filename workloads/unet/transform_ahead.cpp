// Transform samples once, before training, not each time one is fetched.
//
// Question: Four images are drawn, with noise, for each batch. Can that be seen beside the step?
//
// Lesson: workloads/training/rungs/transform_ahead.hpp
//
// The row times a training step on batches of 4 images of 32 x 32: the kept rungs below this one against
// those rungs and this change.

#include "workloads/training/rungs/transform_ahead.hpp"

#include "workloads/unet/rung.hpp"

namespace workloads::unet_transform_ahead {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return unet::trial(setup, &training::Switches::transform_ahead);
}

}  // namespace

extern constexpr Step step = checked(training::transform_ahead_step({
    .id = "unet/transform_ahead",
    .claim = "Samples that are transformed before training shorten a training step of the U-Net.",
    .prepare = prepare,
    .row_seconds = 90,
    .tolerance = unet::other_order,
}));

}  // namespace workloads::unet_transform_ahead
