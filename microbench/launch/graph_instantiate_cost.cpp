// Make a graph only for what is launched often: making it costs before it saves anything.
//
// Question: After how many launches has a graph of 20 kernels paid for itself?
//
// Before a graph can be launched it is captured (the stream notes down what would have been queued), and
// instantiated: the runtime checks it, orders its nodes and writes their commands. Its first launch also
// brings it to the device. All this is the host's time, it grows with the number of nodes, and it is paid
// once. (In Python `torch.cuda.graph` also collected garbage before each capture, until pull request 158193
// (2025): 5,427 captures with it took 78 s, with three collections in all 24.) Every launch then saves a
// little, so after some number of launches the graph has paid for itself.
//
// When it hurts: in a training loop, where one graph is launched a hundred thousand times: make it there
// (launch/graph_short_kernels). Where the graph changes every few launches, since shapes or addresses change,
// you can update a part of it instead of making a new one, or pad batches to a few shapes.
//
// A row measures `replays` repetitions of a chain of kernels: as a graph that is captured, instantiated,
// launched that often and thrown away, and launched one by one. The source says that one launch does not pay
// for a graph; with the number of repetitions the sign may turn. What each part takes stands beside the
// times.
//
// Answer: The published cost was about 400 us for 20 kernels (V100) and the gain 0.4 us a kernel, 8 us a
// launch: some 50 launches. Divide the figures of this row the same way: cost of capture, instantiation and
// first launch by the gain of one replay.

#include "harness/cuda/graph.hpp"

#include "microbench/host_time.hpp"
#include "microbench/launch/chain.hpp"
#include "microbench/tip.hpp"

namespace microbench::launch_graph_instantiate_cost {

constexpr Axis axes[] = {
    {.name = "kernels", .about = "in the chain, nodes of the graph", .values = {20, 200}, .quick = {20}},
    {.name = "replays",
     .about = "how often the chain is repeated, and the graph launched before it is thrown away",
     .values = {1, 10, 100},
     .quick = {1}}};
constexpr std::int64_t values = 1024;

Graph capture(const Chain& chain, const Stream& stream) {
  return Graph(stream, [&] { chain.queue(stream); });
}

/// What the host pays for making the graph, for its first launch and for a later one.
std::vector<Figure> costs(const Chain& chain, const Stream& stream) {
  const auto kernel_by_kernel = host_microseconds([&] { chain.queue(stream); });
  const auto captured = host_microseconds([&] { capture(chain, stream); });
  const auto graph = capture(chain, stream);
  std::optional<GraphExec> made;
  const auto unmade = [&] { stream.synchronize(), made.reset(); };
  const auto instantiated = 1e6 * typical_host_seconds(unmade, [&] { made.emplace(graph); });
  const auto unlaunched = [&] { unmade(), made.emplace(graph); };
  const auto first = 1e6 * typical_host_seconds(unlaunched, [&] { made->launch(stream); });
  const auto later = host_microseconds([&] { made->launch(stream); });
  return {{"host, capture", "us", captured, 0},
          {"host, instantiate", "us", instantiated, 0},
          {"host, first launch of all", "us", first, kernel_by_kernel},
          {"host, a later launch of all", "us", later, kernel_by_kernel}};
}

Trial prepare(Setup& setup, const Point& point) {
  const auto& stream = *setup.stream;
  const auto chain = std::make_shared<const Chain>(setup, values, point["kernels"]);
  const auto repeat = point["replays"];
  return {
      .naive =
          [chain, &stream, repeat] {
            const GraphExec graph(capture(*chain, stream));
            for (std::int64_t i = 0; i < repeat; ++i) graph.launch(stream);
          },
      .optimized =
          [chain, &stream, repeat] {
            for (std::int64_t i = 0; i < repeat; ++i) chain->queue(stream);
          },
      .clear = [chain] { chain->values.zero_(); },
      .answer = [chain](Form) { return numbers_of(chain->values); },
      .figures = [chain, &stream] { return costs(*chain, stream); },
  };
}

extern constexpr Step step = checked({
    .id = "launch/graph_instantiate_cost",
    .claim = "Kernels that run once are faster without a graph that is captured and instantiated for them.",
    .claim_ids = "graph-instantiate-cost",
    .sides = {"new graph", "one by one"},
    .source = graphs_post("CUDA Graph Implementation"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "about 400 us once for 20 kernels (V100)",
                    .about = "replays:1"},
});

}  // namespace microbench::launch_graph_instantiate_cost
