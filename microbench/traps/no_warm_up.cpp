// Leave the first run out, or say that it is the first run that you time.
//
// Question: A convolution runs five times. How far does its first run lift the mean of the five?
//
// What happens once happens in the first run: code is loaded, a library looks at the shape and generates or
// chooses a kernel for it, allocators ask the system, caches are empty. oneDNN on the CPU writes machine code
// for each new shape and keeps it; cuDNN chooses a plan for each, and CUDA loads a kernel's code when it is
// first launched. In a mean of few runs this cost shows fully; in a mean of many it is hidden.
//
// When it does not matter: where a first run is what users wait for, such as the first request to a server.
// Then time first runs, each in a fresh process; with thousands of runs the mean no longer shows it.
//
// A row has both timers read a convolution of a shape that this process has not seen: the mean of five runs,
// by the right timer after one run that is not timed. The verdict compares the timers: `too much` says that
// the wrong one reads more. The sides themselves, which show the same answer, keep to one shape.
//
// Answer: By a fifth of what happens only once: if the first run takes 50 times as long, the mean of five is
// more than ten times too high. Drop it, or time first runs on purpose.

#include "microbench/tip.hpp"
#include "microbench/traps/timers.hpp"

namespace microbench::traps_no_warm_up {

constexpr std::int64_t first_width = 32;
constexpr std::int64_t most_shapes = 1024;
constexpr int runs = 5;

/// How many shapes this process has seen: both sets draw from it, so that each finds new ones.
using Seen = std::shared_ptr<std::int64_t>;

struct State {
  State(const Device& on, Seen seen_so_far)
      : device(on),
        seen(std::move(seen_so_far)),
        weights(at::full({16, 16, 3, 3}, 0.5F, at::TensorOptions().device(torch_device(on)))) {}
  at::Tensor image(std::int64_t width) const {
    return at::full({1, 16, 32, width}, 0.25F, weights.options());
  }
  void convolve(const at::Tensor& input) { out = at::conv2d(input, weights); }
  /// The mean of five runs.
  double mean_of(const at::Tensor& input) {
    finish(device);
    const auto all = [&] {
      for (int i = 0; i < runs; ++i) convolve(input);
      finish(device);
    };
    return host_seconds(all) / runs;
  }
  at::Tensor new_image() { return image(first_width + ++*seen % most_shapes); }
  Device device;
  Seen seen;
  at::Tensor weights, out;
};

Trial prepare(Setup& setup, const Point&) {
  const auto seen = *setup.shared<Seen>("traps/no_warm_up", [] { return std::make_shared<std::int64_t>(0); });
  const auto s = std::make_shared<State>(setup.device, seen);
  const auto wrong = [s] { return s->mean_of(s->new_image()); };
  const auto right = [s] {
    const auto input = s->new_image();
    s->convolve(input);
    return s->mean_of(input);
  };
  auto trial = timer_trial(
      {wrong, right}, [s] { s->out = at::zeros({1}); }, [s](Form) -> Answer { return numbers_of(s->out); });
  trial.naive = trial.optimized = [s] { s->mean_of(s->image(first_width)); };
  return trial;
}

extern constexpr Step step = checked({
    .id = "traps/no_warm_up",
    .claim = "A mean that includes the first run of a new shape is too high.",
    .claim_ids = "diag-warmup",
    .sides = timer_sides,
    .source = {.title = "CUDA Programming Guide, Lazy Loading",
               .url =
                   "https://docs.nvidia.com/cuda/cuda-programming-guide/04-special-topics/lazy-loading.html",
               .where = "Potential Hazards: impact on performance measurements"},
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "the first 10 to 50 steps are noisy",
                    .on_cpu = Outcome::helps},
    .row_seconds = 2,
});

}  // namespace microbench::traps_no_warm_up
