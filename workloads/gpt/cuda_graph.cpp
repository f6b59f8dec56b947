// Record the whole training step as a CUDA graph.
//
// Question: One launch instead of hundreds of operators: what does that save the GPT on your device?
//
// A step of this GPT queues some three hundred operators on matrices of 128 columns, most of which take a
// device a few microseconds: less than the host needs to launch them.
//
// Lesson: workloads/training/rungs/cuda_graph.hpp
//
// The row times a training step on batches of 16 pieces of 64 characters: the kept rungs below this one
// against those rungs and this change. It is a branch until a device has shown that it pays.

#include "workloads/training/rungs/cuda_graph.hpp"

#include "workloads/gpt/rung.hpp"

namespace workloads::gpt_cuda_graph {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  if (!setup.device.is_cuda()) throw Skip("the host launches nothing that a CUDA graph could gather");
  return gpt::trial(setup, &training::Switches::cuda_graph);
}

}  // namespace

extern constexpr Step step = checked(training::cuda_graph_step({
    .id = "gpt/cuda_graph",
    .claim = "Replaying the whole training step as a CUDA graph shortens it for the GPT.",
    .prepare = prepare,
    .row_seconds = 30,
    .tolerance = gpt::other_order,
}));

}  // namespace workloads::gpt_cuda_graph
