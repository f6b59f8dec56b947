// Let cuDNN try its algorithms out.
//
// Question: cuDNN chooses a convolution's algorithm by rule of thumb, or by trying all of them once. How much
// better is the tried one for the shapes of the U-Net?
//
// Lesson: workloads/training/rungs/cudnn_benchmark.hpp
//
// The row times a training step on batches of 4 images of 32 x 32: the kept rungs below this one against
// those rungs and this change, after a first pass that makes the trials. It is a branch: the algorithms found
// may round otherwise from run to run.

#include "workloads/training/rungs/cudnn_benchmark.hpp"

#include "workloads/unet/rung.hpp"

namespace workloads::unet_cudnn_benchmark {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  if (!setup.device.is_cuda()) throw Skip("a CPU has no cuDNN");
  return unet::trial(setup, &training::Switches::cudnn_benchmark);
}

}  // namespace

extern constexpr Step step = checked(training::cudnn_benchmark_step({
    .id = "unet/cudnn_benchmark",
    .claim = "cuDNN's benchmark mode shortens a training step of the U-Net.",
    .prepare = prepare,
    .row_seconds = 90,
}));

}  // namespace workloads::unet_cudnn_benchmark
