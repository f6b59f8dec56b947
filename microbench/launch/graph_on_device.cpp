// Shorten the gaps between short kernels on the device by a graph.
//
// Question: Take the host away, so that it is always ahead. Do 200 kernels still end sooner as a graph?
//
// Most of what a graph saves is the host's: one call in place of many. But the device has its own part in
// each launch. It fetches the command, sees that the kernel before has ended, and starts the next one, which
// takes about a microsecond. In a graph the order is known beforehand, and the device can prepare a kernel
// while the one before still runs.
//
// When it does not matter: where kernels take far longer than a gap, and wherever the host is the slow one,
// as launch/graph_short_kernels shows: there the gap on the device hides behind the host's.
//
// The stream is held by a kernel of a few milliseconds until all launches lie in its queue; only then do they
// run. The row compares the time from the first kernel's begin to the last one's end, by events on the
// stream.
//
// Answer: Yes, slightly: the device knows the order beforehand and prepares a kernel while the one before
// runs. Only a part of the microsecond between two kernels can be saved, so it shows with kernels of a few
// microseconds.

#include "harness/cuda/event.hpp"
#include "harness/cuda/graph.hpp"

#include "microbench/launch/chain.hpp"
#include "microbench/overlap/delay.hpp"
#include "microbench/tip.hpp"

namespace microbench::launch_graph_on_device {

constexpr double held_for = 5e-3;  // seconds: longer than the host needs to queue the longest chain
constexpr Axis axes[] = {
    {.name = "kernels", .about = "one behind the other", .values = {20, 200}, .quick = {200}},
    {.name = "values",
     .about = "floats that each kernel works on",
     .values = {1024, 500'000},
     .quick = {1024}}};

struct State {
  State(Setup& setup, const Point& point)
      : delay(setup, held_for),
        chain(setup, point["values"], point["kernels"]),
        graph(Graph(*setup.stream, [&] { chain.queue(*setup.stream); })) {
    graph.upload(*setup.stream);
  }

  /// From the first kernel's begin to the last one's end, with all of them queued before.
  template <class Queue>
  double seconds(const Stream& stream, const Queue& queue) const {
    delay.queue(stream);
    begin.record(stream);
    queue();
    end.record(stream);
    end.synchronize();
    return (end - begin).count();
  }

  Delay delay;
  Chain chain;
  GraphExec graph;
  TimedEvent begin, end;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto& stream = *setup.stream;
  const auto s = std::make_shared<State>(setup, point);
  const auto naive = [s, &stream] { s->chain.queue(stream); };
  const auto optimized = [s, &stream] { s->graph.launch(stream); };
  return {
      .naive = naive,
      .optimized = optimized,
      .clear = [s] { s->chain.values.zero_(); },
      .answer = [s](Form) { return numbers_of(s->chain.values); },
      .figures = [s, naive, optimized, &stream]() -> std::vector<Figure> {
        return {
            {"on the device", "us", 1e6 * s->seconds(stream, naive), 1e6 * s->seconds(stream, optimized)}};
      },
      .statistic = Statistic::figure,
  };
}

extern constexpr Step step = checked({
    .id = "launch/graph_on_device",
    .claim = "Short kernels follow each other sooner on the device in a graph than launched one by one.",
    .claim_ids = "graph-device-faster",
    .sides = {"one by one", "graph"},
    .source = cuda_semantics("CUDA Graphs"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "\"slightly\"", .about = "values:1024"},
});

}  // namespace microbench::launch_graph_on_device
