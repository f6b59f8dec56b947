// Record the optimizer's step as a CUDA graph and replay it.
//
// Question: 1000 small parameters, Adam one tensor after the other: what share of its time is the host's
// launching?
//
// A step over one tensor after the other queues some kernels for each parameter, and the host needs longer to
// queue them than the device to run them. The step is always the same: same tensors, same operators, same
// addresses. A graph records it once; a replay then costs one launch, and the device goes through the kernels
// without waiting for the host. The model's own pass may stay as it is, data-dependent or not.
//
// What it demands: everything that changes from step to step must lie on the device, for a graph replays
// numbers as it replays addresses. Adam's count of steps is such a number, and so are learning rates that a
// schedule moves. Gradients must stay where they are, which forbids setting them to None.
//
// When it does not matter: for few and large parameters, whose kernels are longer than their launches; where
// the step is fused into one kernel already.
//
// Both sides run the same operators with the count on the device: the first side queues them, the other
// replays them. Three steps from the same start are compared, and must agree to the bit. What the calls cost
// the host stands beside the times.
//
// Answer: Nearly all: a kernel on a small tensor takes a device a microsecond or two, the host needs several
// to queue it through LibTorch. Replayed, the device goes from kernel to kernel without waiting for the
// host.

#include "harness/libtorch/torch_graph.hpp"

#include "microbench/host_time.hpp"
#include "microbench/optimizer/parameters.hpp"
#include "microbench/tip.hpp"

namespace microbench::optimizer_graph_step {

constexpr Axis axes[] = {
    {.name = "tensors", .about = "parameters, one after the other", .values = {4, 100, 1000}},
    {.name = "numel", .about = "values of each of them", .values = {1 << 10, 1 << 16}}};

struct State {
  State(const Setup& setup, std::int64_t tensors, std::int64_t numel) : parameters(setup, tensors, numel) {
    graph = captured([this] { parameters.step_by_tensor_on_device(); });
  }
  Parameters parameters;
  std::unique_ptr<at::cuda::CUDAGraph> graph;
};

Trial prepare(Setup& setup, const Point& point) {
  require_room(setup, point["tensors"], point["numel"]);
  const auto s = std::make_shared<State>(setup, point["tensors"], point["numel"]);
  const auto naive = [s] { s->parameters.step_by_tensor_on_device(); };
  const auto optimized = [s] { s->graph->replay(); };
  return {
      .naive = naive,
      .optimized = optimized,
      .clear = [s] { s->parameters.reset(); },
      .answer = [s](Form) { return s->parameters.values(); },
      .answer_runs = 3,
      .figures = [naive, optimized]() -> std::vector<Figure> { return {host_kept(naive, optimized)}; },
  };
}

extern constexpr Step step = checked({
    .id = "optimizer/graph_step",
    .claim = "Replaying the optimizer's step as a CUDA graph removes the cost of its launches.",
    .claim_ids = "opt-graph-step",
    .sides = {"queued", "graph"},
    .source = cuda_semantics("CUDA Graphs, Partial-network capture (inferred for the optimizer alone)"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "tensors:1000"},
});

}  // namespace microbench::optimizer_graph_step
