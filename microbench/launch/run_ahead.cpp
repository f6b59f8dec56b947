// When the host's overhead is free: operators large enough for the host to run ahead of the device.
//
// Question: From which size on does it no longer matter how long the host takes to queue an operator?
//
// The host only queues work. While the device is busy with one operator the host can prepare the next ones,
// and as long as there is something in the queue the device never notices what preparing costs. The lead is
// lost when operators are so small that the device finishes each before the host has queued the next: then
// the device idles, and the time is the host's, however fast the device may be. It is also lost at every
// synchronization, after which the host starts from nothing.
//
// The gain grows with what an operator costs the host, which stands beside the times: 9.0 us on an H200's
// virtual machine (commit 7400cad), where the launch alone took 4.2 us; 2.1 us were published for an H100
// (a secondary source, docs/claims.md).
//
// When it does not matter: for operators so large that the host is ahead anyway. Which side a program is on
// decides which advice is worth following: faster kernels, lower precision or a better device help on one
// side only, less overhead (fusion, graphs, larger batches) on the other only.
//
// A row measures a chain of operators, queued one by one, against the same chain queued as one captured
// graph, where the host has next to nothing to do: what the graph saves is the time in which the device
// idled. The size at which the two meet is the size from which this host's overhead is free. The clock is the
// device's, and nothing waits for it between runs, so that the lead is not lost.
//
// Answer: From the size at which the device takes as long for an operator as the host takes to queue it: the
// figure "host, for each operator" beside the row. On the H200 here (commit 7400cad) that was 9.0 us; with
// 1,024 values the graph saved 86 % of the time.

#include "harness/libtorch/torch_graph.hpp"

#include "microbench/host_time.hpp"
#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::launch_run_ahead {

constexpr Axis axes[] = {{.name = "values",
                          .about = "floats that each operator works on",
                          .values = {1 << 10, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24},
                          .quick = {1 << 10}}};
constexpr int operators = 50;

struct State {
  at::Tensor x;
  std::unique_ptr<at::cuda::CUDAGraph> graph;
  void chain() const {
    for (int i = 0; i < operators; ++i) x.add_(1);
  }
};

Trial prepare(Setup& setup, const Point& point) {
  const auto n = point["values"];
  require_device_memory(static_cast<std::size_t>(n) * sizeof(float));
  const auto s = std::make_shared<State>();
  s->x = at::zeros({n}, floats_on(setup.device));
  s->graph = captured([s] { s->chain(); });

  const auto naive = [s] { s->chain(); };
  const auto optimized = [s] { s->graph->replay(); };
  return {
      .naive = naive,
      .optimized = optimized,
      .clear = [s] { s->x.zero_(); },
      .answer = [s](Form) { return numbers_of(s->x); },
      .figures = [naive, optimized]() -> std::vector<Figure> {
        return {{"host, for each operator", "us", host_microseconds(naive) / operators,
                 host_microseconds(optimized) / operators}};
      },
      .timer = Timer::event,
  };
}

extern constexpr Step step = checked({
    .id = "launch/run_ahead",
    .claim = "The host's overhead costs time only while operators are too small for it to run ahead.",
    .claim_ids = "launch-run-ahead",
    .sides = {"one by one", "graph"},
    .source = go_brrrr("Overhead"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "values:1024"},
    .delta = 0.02,
    .suite = Suite::quick,
});

}  // namespace microbench::launch_run_ahead
