// Record the whole training step as a CUDA graph.
//
// Question: One launch instead of hundreds of operators: what does that save the U-Net on your device?
//
// A step of the U-Net queues a few hundred operators, and images of 32 x 32 leave a device little to do in
// most of them.
//
// Lesson: workloads/training/rungs/cuda_graph.hpp
//
// The row times a training step on batches of 4 images of 32 x 32: the kept rungs below this one against
// those rungs and this change. It is a branch until a device has shown that it pays.

#include "workloads/training/rungs/cuda_graph.hpp"

#include "workloads/unet/rung.hpp"

namespace workloads::unet_cuda_graph {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  if (!setup.device.is_cuda()) throw Skip("the host launches nothing that a CUDA graph could gather");
  return unet::trial(setup, &training::Switches::cuda_graph);
}

}  // namespace

extern constexpr Step step = checked(training::cuda_graph_step({
    .id = "unet/cuda_graph",
    .claim = "Replaying the whole training step as a CUDA graph shortens it for the U-Net.",
    .prepare = prepare,
    .row_seconds = 90,
    .tolerance = unet::other_order,
}));

}  // namespace workloads::unet_cuda_graph
