// Let cuDNN try its algorithms out.
//
// Question: cuDNN chooses a convolution's algorithm by rule of thumb, or by trying all of them once. How much
// better is the tried one for the shapes of ResNet-50?
//
// Lesson: workloads/training/rungs/cudnn_benchmark.hpp
//
// The row times a training step on batches of 8 images of 64 x 64: the kept rungs below this one against
// those rungs and this change, after a first pass that makes the trials. It is a branch: the algorithms found
// may round otherwise from run to run.

#include "workloads/training/rungs/cudnn_benchmark.hpp"

#include "workloads/resnet50/rung.hpp"

namespace workloads::resnet50_cudnn_benchmark {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  if (!setup.device.is_cuda()) throw Skip("a CPU has no cuDNN");
  return resnet50::trial(setup, &training::Switches::cudnn_benchmark);
}

}  // namespace

extern constexpr Step step = checked(training::cudnn_benchmark_step({
    .id = "resnet50/cudnn_benchmark",
    .claim = "cuDNN's benchmark mode shortens a training step of ResNet-50.",
    .prepare = prepare,
    .row_seconds = 90,
}));

}  // namespace workloads::resnet50_cudnn_benchmark
