// Drop gradients instead of filling them with zeros.
//
// Question: The U-Net has 64 parameters with 31 million numbers. What does a step pay for zeros to which
// gradients are added?
//
// Lesson: workloads/training/rungs/gradients_to_none.hpp
//
// The row times a training step on batches of 4 images of 32 x 32: the kept rungs below this one against
// those rungs and this change.

#include "workloads/training/rungs/gradients_to_none.hpp"

#include "workloads/unet/rung.hpp"

namespace workloads::unet_gradients_to_none {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return unet::trial(setup, &training::Switches::gradients_to_none);
}

}  // namespace

extern constexpr Step step = checked(training::gradients_to_none_step({
    .id = "unet/gradients_to_none",
    .claim = "Gradients that are dropped instead of zeroed shorten a training step of the U-Net.",
    .prepare = prepare,
    .row_seconds = 90,
    .tolerance = unet::other_order,
}));

}  // namespace workloads::unet_gradients_to_none
