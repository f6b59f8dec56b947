// Record the whole training step as a CUDA graph.
//
// Question: One launch instead of hundreds of operators: what does that save the U-Net on your device?
//
// A step of the U-Net queues a few hundred operators, and images of 32 x 32 leave a device little to do in
// most of them. A
// graph of the whole step, forward, backward and update, is one launch. It repeats addresses and shapes, so
// each batch is copied into the same tensors first; batches here have one size, and one graph serves all.
//
// What it costs: memory that the graph keeps for itself, a capture, which is not timed, and a step that must
// never ask the device anything: no `.item()`, no loss scale that looks for overflow on the host.
//
// When it does not matter: where the device is the slower of the two anyway. On the host there is nothing to
// launch, and the row is skipped.
//
// The row times a training step on batches of 4 images of 32 x 32: the kept rungs below this one against
// the same with it. It is a branch until a device has shown that it pays.

#include "workloads/unet/rung.hpp"

namespace workloads::unet_cuda_graph {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  if (!setup.device.is_cuda()) throw Skip("the host launches nothing that a CUDA graph could gather");
  return unet::trial(setup, &training::Switches::cuda_graph);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "unet/cuda_graph",
    .claim = "Replaying the whole training step as a CUDA graph shortens it for the U-Net.",
    .source = {.title = "PyTorch, CUDA semantics",
               .url = "https://docs.pytorch.org/docs/stable/notes/cuda.html",
               .where = "CUDA Graphs, whole-network capture"},
    .runs = Runs::session,
    .axes = training::step_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = training::other_order,
    .row_seconds = 90,
    .full_only = true,
});

}  // namespace workloads::unet_cuda_graph
