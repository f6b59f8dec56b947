// Launch many short kernels as one captured graph.
//
// Question: The source reports 3.8 us a kernel, and 3.4 us with a graph. Why so little, and what does this
// device gain with 20 kernels, and with 1?
//
// If kernels are launched one by one, the host chooses the kernel, packs its arguments and writes the
// command again each time, although a loop launches the same ones in the same order every time. A graph is
// that sequence written down once: captured from a stream, checked and laid out for the device when it is
// instantiated, and then launched as a whole by one call. What remains for each kernel is what the device
// itself needs to start it.
//
// So the price of a launch on your machine decides: an H200's virtual machine had 4.2 us for the call, and a
// graph halved the time of 20 kernels (commit 7400cad). By a secondary source an H100 has 2.1 us, and 1.3 us
// for a kernel in a graph (docs/claims.md): there the graph saves less.
//
// When it does not matter: where kernels take so much longer than their launches that the host is ahead
// anyway (`values`, together with how fast the host is); for a single kernel, where a graph only adds to the
// call (`kernels:1`). And a graph has to pay for itself first: capturing and instantiating it takes as long
// as launching its kernels many times over, and it does the same work on the same addresses every time.
//
// A row measures a chain of kernels and a wait for its end, as a loop that needs each result would: the
// source does so as well. Capture, instantiation and the way of the graph to the device lie before. The
// host's share for each kernel stands beside the times; of 2000 launches it is partly the device's, since the
// queue holds about a thousand and the host has to wait for room.
//
// Answer: Because a kernel of 2.9 us hides most of its launch: only the overhead of 0.9 us beside it could
// shrink, and it fell to 0.5 us. The longer the launch and the shorter the kernel, the more a graph saves:
// on our H200 (commit 7400cad) 20 kernels took 98.5 -> 48.2 us. A single kernel is one call either way, so we
// expect no gain; `--point kernels=1` measures it.

#include "harness/cuda/graph.hpp"

#include "microbench/host_time.hpp"
#include "microbench/launch/chain.hpp"
#include "microbench/tip.hpp"

namespace microbench::launch_graph_short_kernels {

constexpr std::int64_t values[] = {1024, 500'000};  // the second is the source's
constexpr Axis axes[] = {
    {.name = "kernels", .about = "launched one after the other", .values = {1, 20, 200, 2000}, .quick = {20}},
    {.name = "values", .about = "floats that each kernel works on", .values = values, .quick = {500'000}}};

struct State {
  State(const Setup& setup, const Point& point)
      : chain(setup, point["values"], point["kernels"]),
        graph(Graph(*setup.stream, [&] { chain.queue(*setup.stream); })) {
    graph.upload(*setup.stream);
  }
  Chain chain;
  GraphExec graph;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto& stream = *setup.stream;
  const auto s = std::make_shared<State>(setup, point);
  const auto naive = [s, &stream] { s->chain.queue(stream); };
  const auto optimized = [s, &stream] { s->graph.launch(stream); };
  const auto count = static_cast<double>(point["kernels"]);
  return {
      .naive = naive,
      .optimized = optimized,
      .clear = [s] { s->chain.values.zero_(); },
      .answer = [s](Form) { return numbers_of(s->chain.values); },
      .figures = [naive, optimized, count]() -> std::vector<Figure> {
        return {{"host, for each kernel", "us", host_microseconds(naive) / count,
                 host_microseconds(optimized) / count}};
      },
  };
}

extern constexpr Step step = checked({
    .id = "launch/graph_short_kernels",
    .claim = "A chain of short kernels takes less time launched as a graph than kernel by kernel.",
    .claim_ids = "graph-short-kernels",
    .sides = {"one by one", "graph"},
    .source = graphs_post("CUDA Graph Implementation"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "3.8 -> 3.4 us for each of 20 kernels of 2.9 us (V100)",
                    .about = "kernels:20"},
    .suite = Suite::quick,
});

}  // namespace microbench::launch_graph_short_kernels
