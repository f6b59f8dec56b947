// Record the whole training step as a CUDA graph.
//
// Question: One launch instead of hundreds of operators: what does that save ResNet-50 on your device?
//
// A step of ResNet-50 queues about a thousand operators, and small images leave a device little to do in each
// of them.
//
// Lesson: workloads/training/rungs/cuda_graph.hpp
//
// The row times a training step on batches of 8 images of 64 x 64: the kept rungs below this one against
// those rungs and this change. It is a branch until a device has shown that it pays.

#include "workloads/training/rungs/cuda_graph.hpp"

#include "workloads/resnet50/rung.hpp"

namespace workloads::resnet50_cuda_graph {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  if (!setup.device.is_cuda()) throw Skip("the host launches nothing that a CUDA graph could gather");
  return resnet50::trial(setup, &training::Switches::cuda_graph);
}

}  // namespace

extern constexpr Step step = checked(training::cuda_graph_step({
    .id = "resnet50/cuda_graph",
    .claim = "Replaying the whole training step as a CUDA graph shortens it for ResNet-50.",
    .prepare = prepare,
    .row_seconds = 90,
}));

}  // namespace workloads::resnet50_cuda_graph
