// Let cuDNN try its algorithms once for each shape and keep the fastest.
//
// Question: The search for the best algorithm takes as long as how many calls of the convolution, and which
// shapes gain?
//
// cuDNN knows many ways to compute a convolution: as a matrix product, by Winograd's scheme, by a Fourier
// transform, each in tiles of many sizes. Which is fastest depends on the shape, the format and the device.
// By default a rule of thumb picks one; with benchmark mode on, the first call with a new shape times up to
// ten of them (`torch.backends.cudnn.benchmark_limit`), once each after a run to warm up, and later calls
// with that shape use the winner.
//
// When it does not matter, or hurts: where the rule of thumb picks the same one, as it does for many common
// shapes; where shapes keep changing (see format/cudnn_benchmark_variable). The choice depends on a
// measurement, so two runs of a program may choose differently and round differently.
//
// A row times eight convolutions of 64 images in the steady state: the trials belong to the untimed run that
// opens a slot. What they cost stands beside the times, as the length of the first call with a new shape.
// LibTorch remembers one plan for a shape in each thread, however it was chosen, so the sides run in two
// threads. Both pay for the way there and back, once for the eight.
//
// Answer: The search times up to ten algorithms, twice each, and makes their plans, so it costs at least
// some twenty calls and usually many more: the figure "first call" shows it. Uncommon shapes gain; for
// common ones the rule of thumb picks the same algorithm.

#include "harness/core/slot.hpp"

#include "microbench/format/convolution_steps.hpp"
#include "microbench/format/one_conv.hpp"
#include "microbench/format/plan_thread.hpp"
#include "microbench/tip.hpp"

namespace microbench::format_cudnn_benchmark {

constexpr Axis axes[] = {conv_shape_axis(),
                         {.name = "type",
                          .about = "of images and weights; fp32 may be computed in TF32, as by default",
                          .quick = {0},
                          .labels = {"fp16", "fp32"}}};
constexpr int convolutions = 8;

struct State {
  State(const Setup& setup, ConvShape shape, at::ScalarType type)
      : conv(setup, shape, type), stream(*setup.stream), device(setup.device.index) {}
  void work(PlanThread& thread, bool trials) {
    thread.run([this, trials] {
      const CudnnBenchmark set(trials);
      for (int i = 0; i < convolutions; ++i) conv.run();
    });
  }
  OneConv conv;
  const Stream& stream;
  int device;
  PlanThread by_rule{stream, device};
  PlanThread by_trial{stream, device};
};

/// Milliseconds of the first convolution of a shape in a thread that has only seen a smaller one.
double first_call(const State& s, bool trials) {
  PlanThread fresh(s.stream, s.device);
  const auto call = [&](const at::Tensor& x) {
    return 1e3 * host_seconds([&] {
             fresh.run([&] {
               const CudnnBenchmark set(trials);
               convolve(x, s.conv.weight, {});
             });
             s.stream.synchronize();
           });
  };
  call(s.conv.x.narrow(0, 0, 1));  // makes cuDNN's handle of this thread
  return call(s.conv.x);
}

Trial prepare(Setup& setup, const Point& point) {
  require_device_memory(std::size_t{2} << 30);  // trials need workspaces
  const auto type = point["type"] == 0 ? at::kHalf : at::kFloat;
  const auto s = std::make_shared<State>(setup, conv_shapes[point["shape"]], type);

  return {
      .naive = [s] { s->work(s->by_rule, /*trials=*/false); },
      .optimized = [s] { s->work(s->by_trial, /*trials=*/true); },
      .clear = [s] { s->conv.clear(); },
      .answer = [s](Form) { return s->conv.answer(); },
      .figures = [s]() -> std::vector<Figure> {
        const auto by_rule = first_call(*s, /*trials=*/false);
        return {{"first call", "ms", by_rule, first_call(*s, /*trials=*/true)}};
      },
      .timer = Timer::event,
  };
}

extern constexpr Step step = checked({
    .id = "format/cudnn_benchmark",
    .claim = "cuDNN's benchmark mode makes convolutions of a fixed shape faster.",
    .claim_ids = "cudnn-benchmark",
    .sides = {"heuristics", "benchmark"},
    .source = tuner_guide,
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
    .tolerance = tuner_tolerance,
    .delta = 0.02,
    .row_seconds = 8,
});

}  // namespace microbench::format_cudnn_benchmark
