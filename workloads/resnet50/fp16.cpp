// Multiply in FP16 by autocast, with a scaled loss.
//
// Question: FP16 and BF16 take the same time in a product. What does FP16's scaling add to a step of
// ResNet-50?
//
// Lesson: workloads/training/rungs/fp16.hpp
//
// The row times a training step on batches of 8 images of 64 x 64: the kept rungs below this one against
// those rungs and this change.

#include "workloads/training/rungs/fp16.hpp"

#include "workloads/resnet50/rung.hpp"

namespace workloads::resnet50_fp16 {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  if (!setup.device.is_cuda()) throw Skip("a CPU multiplies FP16 no faster than FP32");
  return resnet50::trial(setup, &training::Switches::fp16);
}

}  // namespace

extern constexpr Step step = checked(training::fp16_step({
    .id = "resnet50/fp16",
    .claim = "Autocast to FP16 with a scaled loss shortens a training step of ResNet-50.",
    .prepare = prepare,
    .row_seconds = 90,
}));

}  // namespace workloads::resnet50_fp16
