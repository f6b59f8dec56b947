// Let FP32 products and convolutions run in TF32.
//
// Question: Tensor cores multiply TF32 several times as fast as other cores multiply FP32. How much of a step
// of ResNet-50 is that?
//
// Lesson: workloads/training/rungs/tf32.hpp
//
// The row times a training step on batches of 8 images of 64 x 64: the kept rungs below this one against
// those rungs and this change. The slow form computes products and convolutions in full FP32, though LibTorch
// would let convolutions have TF32 by itself.

#include "workloads/training/rungs/tf32.hpp"

#include "workloads/resnet50/rung.hpp"

namespace workloads::resnet50_tf32 {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  if (!setup.device.is_cuda()) throw Skip("TF32 is a format of CUDA devices");
  return resnet50::trial(setup, &training::Switches::tf32);
}

}  // namespace

extern constexpr Step step = checked(training::tf32_step({
    .id = "resnet50/tf32",
    .claim = "TF32 products and convolutions shorten a training step of ResNet-50.",
    .prepare = prepare,
    .row_seconds = 90,
}));

}  // namespace workloads::resnet50_tf32
