// Multiply in FP16 by autocast, with a scaled loss.
//
// Question: FP16 and BF16 take the same time in a product. What does FP16's scaling add to a step of the
// U-Net?
//
// Lesson: workloads/training/rungs/fp16.hpp
//
// The row times a training step on batches of 4 images of 32 x 32: the kept rungs below this one against
// those rungs and this change.

#include "workloads/training/rungs/fp16.hpp"

#include "workloads/unet/rung.hpp"

namespace workloads::unet_fp16 {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  if (!setup.device.is_cuda()) throw Skip("a CPU multiplies FP16 no faster than FP32");
  return unet::trial(setup, &training::Switches::fp16);
}

}  // namespace

extern constexpr Step step = checked(training::fp16_step({
    .id = "unet/fp16",
    .claim = "Autocast to FP16 with a scaled loss shortens a training step of the U-Net.",
    .prepare = prepare,
    .row_seconds = 90,
}));

}  // namespace workloads::unet_fp16
