// Repeat the arithmetic on values that are already there: up to a point it is free.
//
// Question: An A100 repeats for free up to 32 times. Where does the time begin to grow on your CPU?
//
// A processor has two limits: how many bytes it can bring in from memory in a second, and how many operations
// it can do. A kernel that does little with each value waits for memory, and its arithmetic units idle. Then
// more arithmetic on the same values costs no time, until the units have as much to do as memory takes: there
// the time begins to grow with the operations. Where the bend lies is the machine's balance, in operations
// per byte, and an operator's own operations per byte say on which side of it the operator is.
//
// Below the bend it does not help to compute less: fewer bytes do (fused operators, shorter formats). Above
// it, only less or cheaper arithmetic does. Recomputing a value may be cheaper than reading it.
//
// When it does not hold: for tensors that fit into a cache, whose bandwidth is higher, so that the bend lies
// further to the left; for so few values that starting the kernel is the price.
//
// Both sides multiply each value by the same number: the first at once, the second `repeat` times by its
// root. The rows together draw the roofline: from some `repeat` on the time grows. On the CPU all threads run
// a plain loop.
//
// Answer: After a few repeats: a core has few arithmetic units for its bandwidth. An A100's bend lies
// between 32 and 64 (published).

#include "harness/cuda/stream.hpp"

#include "microbench/roofline/multiply.hpp"
#include "microbench/tip.hpp"
#include "microbench/values.hpp"

#include <ATen/Parallel.h>

#include <cmath>

namespace microbench::roofline_roofline_repeat {

constexpr Axis axes[] = {{.name = "repeat",
                          .about = "multiplications of each value between reading and writing it",
                          .values = {2, 4, 16, 32, 64, 128, 256, 1024},
                          .quick = {16}}};

/// More than caches hold.
std::int64_t values_on(const Device& device) { return device.is_cuda() ? 1 << 26 : 1 << 24; }

struct State {
  State(const Setup& setup, std::int64_t n) : stream(setup.stream) {
    const auto options = at::TensorOptions().device(torch_device(setup.device)).dtype(at::kFloat);
    in = at::randn({n}, generator_of(setup), options);
    out = at::empty_like(in);
  }
  void run(float factor, int repeat) {
    const auto* from = in.const_data_ptr<float>();
    auto* to = out.mutable_data_ptr<float>();
    if (stream != nullptr)
      return check(
          queue_multiply(from, to, static_cast<std::size_t>(in.numel()), factor, repeat, stream->get()));
    constexpr std::int64_t grain = 1 << 16;
    at::parallel_for(0, in.numel(), grain, [=](std::int64_t begin, std::int64_t end) {
      multiply(from, to, static_cast<std::size_t>(begin), static_cast<std::size_t>(end), factor, repeat);
    });
  }
  const Stream* stream;  // null on the host
  at::Tensor in, out;
};

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || point["repeat"] <= 16 || point["repeat"] == 64;
}

Trial prepare(Setup& setup, const Point& point) {
  const bool cuda = setup.device.is_cuda();
  const auto repeat = static_cast<int>(point["repeat"]);
  const auto n = values_on(setup.device);
  if (cuda) require_device_memory(2 * static_cast<std::size_t>(n) * sizeof(float));
  const auto s = std::make_shared<State>(setup, n);
  constexpr double product = 1.5;
  const auto root = static_cast<float>(std::pow(product, 1.0 / repeat));

  return {
      .naive = [s] { s->run(static_cast<float>(product), 1); },
      .optimized = [s, root, repeat] { s->run(root, repeat); },
      .clear = [s] { s->out.fill_(-1); },
      .answer =
          [s, n](Form) {
            constexpr std::int64_t stride = 61;  // shares no factor with a block of threads
            return numbers_of(s->out.slice(0, 0, n, stride));
          },
      .timer = cuda ? Timer::event : Timer::wall,
      .bytes_moved = 2 * static_cast<std::size_t>(n) * sizeof(float),
  };
}

extern constexpr Step step = checked({
    .id = "roofline/roofline_repeat",
    .claim = "Arithmetic on values that were read anyway takes no time while memory is the limit.",
    .claim_ids = "diag-roofline-repeat",
    .sides = {"once", "repeated"},
    .source = go_brrrr("Bandwidth, the microbenchmark of repeated multiplications"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::no_effect,
                    .published = "bound by bandwidth below 32 repeats, by compute above 64 (A100)",
                    .about = "repeat:16"},
    .tolerance = {.relative = 2e-4,
                  .why = "the root is rounded, and so is each of up to 1024 multiplications by it"},
});

}  // namespace microbench::roofline_roofline_repeat
