// Leave cuDNN's benchmark mode off where shapes keep changing: each new shape is a search.
//
// Question: A shape is used 1, 32 or 512 times. At which count does the search begin to pay?
//
// In benchmark mode the first call with a shape makes plans for all of cuDNN's algorithms and runs up to ten
// of them, once to warm up and once by the clock. That takes many times as long as the convolution. That is
// repaid over the calls that follow with the same shape, a little by each. Images of varying size, sequences
// of varying length and last batches that are smaller than the others are new shapes: every one is a search.
//
// When it does not hurt: where the same few shapes come back again and again, since what was found is kept
// as long as the thread lives (so the first epoch pays, and the next ones do not). `calls` is how often a
// shape is used: with enough of them the mode wins by as much as format/cudnn_benchmark says.
//
// A row times one new shape: a thread is started, which has seen no shape yet, and calls the convolution as
// often as `calls` says. Both sides start one; only the first searches. In a program that meets a shape for
// the very first time the search takes longer still, since cuDNN then loads the kernels that it tries.
//
// Answer: Not at 1, where the search is nearly all of the time: 65.3 ms instead of 4.24 on an H200 (commit
// c3d44b4). It pays once the number of calls times the gain of each exceeds the search: sooner for a shape
// that gains much, never for one that gains nothing.

#include "microbench/format/convolution_steps.hpp"
#include "microbench/format/one_conv.hpp"
#include "microbench/format/plan_thread.hpp"
#include "microbench/tip.hpp"

namespace microbench::format_cudnn_benchmark_variable {

constexpr Axis axes[] = {
    {.name = "calls", .about = "with a shape before the next new one", .values = {1, 32, 512}, .quick = {1}}};

struct State {
  explicit State(const Setup& setup)
      : conv(setup, conv_shapes[2], at::kHalf), stream(*setup.stream), device(setup.device.index) {}
  /// As if no convolution of this shape had been called before.
  void work(std::int64_t calls, bool trials) {
    PlanThread fresh(stream, device);
    fresh.run([this, calls, trials] {
      const CudnnBenchmark set(trials);
      for (std::int64_t i = 0; i < calls; ++i) conv.run();
    });
  }
  OneConv conv;
  const Stream& stream;
  int device;
};

Trial prepare(Setup& setup, const Point& point) {
  require_device_memory(std::size_t{2} << 30);  // trials need workspaces
  const auto calls = point["calls"];
  const auto s = std::make_shared<State>(setup);

  return {
      .naive = [s, calls] { s->work(calls, /*trials=*/true); },
      .optimized = [s, calls] { s->work(calls, /*trials=*/false); },
      .clear = [s] { s->conv.clear(); },
      .answer = [s](Form) { return s->conv.answer(); },
  };
}

extern constexpr Step step = checked({
    .id = "format/cudnn_benchmark_variable",
    .claim = "Where the shape of a convolution keeps changing, cuDNN is faster without its benchmark mode.",
    .claim_ids = "cudnn-benchmark-variable",
    .sides = {"benchmark", "heuristics"},
    .source = tuner_guide,
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "calls:1"},
    .tolerance = tuner_tolerance,
    .row_seconds = 150,  // a search takes 0.3 to 2 s; the rehearsal has four, each of 14 rounds ten
});

}  // namespace microbench::format_cudnn_benchmark_variable
