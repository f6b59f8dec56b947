// Give graphs that are replayed one after the other a common pool of memory.
//
// Question: A graph for each of eight batch sizes, each with 8 MiB of its own for what lies between its
// operators: how much is reserved, and how much if they share?
//
// What a captured graph allocates keeps its address for as long as the graph lives, so LibTorch takes it from
// a pool of the graph's own. Eight graphs reserve eight pools, though only one of them runs at a time. If
// they are captured with one pool, each takes the blocks that the graph before has given back in its capture:
// together they need what the largest of them needs.
//
// What it costs: the graphs must be replayed in the order of their capture, or at least never at the same
// time, and what one leaves in the pool is overwritten by the next. Results that must outlive the next replay
// belong into tensors from before the capture, as on both sides here.
//
// When it does not matter: for a single graph, and where memory is not short; replays take as long either
// way.
//
// The result is the memory that was reserved at the peak while the graphs were captured and replayed, and the
// verdict is about it. Each run begins with an empty cache and captures anew.
//
// Answer: Apart, each graph keeps its own pool, so that eight sizes reserve eight pools. Shared, about as
// much as the largest graph needs, if the graphs are replayed one after the other: an eighth.

#include "harness/libtorch/torch_graph.hpp"

#include "microbench/memory/varying_lengths.hpp"
#include "microbench/tip.hpp"

namespace microbench::launch_graph_shared_pool {

constexpr Axis axes[] = {{.name = "graphs", .about = "captured and replayed in turn", .values = {2, 8}}};
constexpr std::int64_t values = 1 << 20;

struct State {
  State(const Device& device, std::int64_t graphs)
      : in(at::arange(values, at::TensorOptions().device(torch_device(device)).dtype(at::kFloat))),
        out(at::zeros({graphs, values}, in.options())) {}

  /// The work of one graph, on a batch of its own size.
  void work(std::int64_t graph) const {
    const auto size = values / (graph + 1);
    const auto result = in.narrow(0, 0, size).mul(2).add(1).relu();
    out.select(0, graph).narrow(0, 0, size).copy_(result);
  }
  /// Captures a graph for each row of `out`, their memory in one pool or in one each, and replays them.
  void run(bool one_pool) const {
    const auto pool = at::cuda::graph_pool_handle();
    std::vector<std::unique_ptr<at::cuda::CUDAGraph>> graphs;
    for (std::int64_t i = 0; i < out.size(0); ++i)
      graphs.push_back(captured([&] { work(i); }, [] {}, one_pool ? pool : at::cuda::graph_pool_handle()));
    for (const auto& graph : graphs) graph->replay();
  }
  at::Tensor in, out;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto device = setup.device;
  const auto graphs = point["graphs"];
  require_device_memory(static_cast<std::size_t>(graphs * values) * 5 * sizeof(float));
  const auto s = std::make_shared<State>(device, graphs);
  for (std::int64_t i = 0; i < graphs; ++i)
    s->work(i);  // loads the kernels, which a capture should find loaded

  const auto run_with = [s, device](bool one_pool) {
    empty_cache(device);
    s->run(one_pool);
  };
  const auto naive = [run_with] { run_with(false); };
  const auto optimized = [run_with] { run_with(true); };
  return {
      .naive = naive,
      .optimized = optimized,
      .clear = [s] { s->out.fill_(-1); },
      .answer = [s](Form) { return numbers_of(s->out); },
      .figures = [naive, optimized, device]() -> std::vector<Figure> {
        return {reserved_figure(device, naive, optimized)};
      },
      .statistic = Statistic::figure,
  };
}

extern constexpr Step step = checked({
    .id = "launch/graph_shared_pool",
    .claim = "Graphs that are replayed in turn need less memory if they share a pool.",
    .claim_ids = "graph-mempool-share",
    .sides = {"own pools", "shared pool"},
    .source = cuda_semantics("CUDA Graphs, Graph memory management"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
    .delta = 0.01,  // bytes have no noise
});

}  // namespace microbench::launch_graph_shared_pool
