// What two flags of the CUDA compiler do to one kernel.
//
// Question: Which of the two changes a kernel that only copies, fast math or a debug build?
//
// With --use_fast_math sine, exponential, division and square root become the device's short, approximate
// instructions, and denormal numbers are rounded to zero. A function that took dozens of instructions takes a
// few, and results differ in the last digits, for arguments far from zero in more than these: it is a
// decision for one source file, not for a project. -G builds device code for the debugger: nothing is
// optimized and every variable lives in memory. Build types named "Debug" often set it, and it tends to stay.
//
// When it does not matter: in kernels that wait for memory. `kernel:copy` is the same code with no rounds of
// arithmetic: fast math cannot change it, and even the debug build partly hides behind the memory.
//
// Three sources include the same kernel and are compiled with different flags. `flag` names what the row
// compares: plain -> fast math, or debug -> plain. Rounds are few, so that errors stay those of one function.
// The time that a program loses when it must first be compiled for a device it was not built for (PTX) falls
// in the first launch, which no row shows.
//
// Answer: Only the debug build, and by less than you may expect: a copy waits for memory, which hides part of
// the additional instructions. Fast math changes arithmetic, of which a copy has none.

#include "microbench/memory/device_floats.hpp"
#include "microbench/memory/math.hpp"
#include "microbench/tip.hpp"

namespace microbench::memory_kern_nvcc_flags {

constexpr Axis axes[] = {
    {.name = "flag",
     .about = "use_fast_math: without it and with it; no_debug: with -G and without it",
     .labels = {"use_fast_math", "no_debug"}},
    {.name = "kernel",
     .about = "copy: no arithmetic; math: 8 rounds of sine and exponential on each value",
     .labels = {"copy", "math"}}};
constexpr std::size_t n = 16 << 20;

struct State {
  DeviceFloats in{n};
  DeviceFloats out{n};
};

Trial prepare(Setup& setup, const Point& point) {
  require_device_memory(2 * n * sizeof(float));
  const auto& stream = *setup.stream;
  const auto s = std::make_shared<State>();
  s->in.upload(random_floats(n, setup.seed), stream);

  const auto with = [s, &stream, rounds = point["kernel"] == 1 ? 8 : 0](auto queue) {
    check(queue(s->out.data(), s->in.data(), n, rounds, stream.get()));
  };
  const bool fast = point["flag"] == 0;
  return {
      .naive = [with, fast] { with(fast ? queue_math_plain : queue_math_debug); },
      .optimized = [with, fast] { with(fast ? queue_math_fast : queue_math_plain); },
      .clear = [s, &stream] { s->out.clear(stream); },
      .answer = [s, &stream](Form) -> Answer { return s->out.download(stream); },
      .timer = Timer::event,
      .bytes_moved = 2 * n * sizeof(float),
  };
}

extern constexpr Step step = checked({
    .id = "memory/kern_nvcc_flags",
    .claim = "Flags of the compiler change the speed of arithmetic on the device, hardly that of copies.",
    .claim_ids = "kern-nvcc-flags",
    .source = best_practices("Math Libraries; nvcc Compiler Switches"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = {.relative = 1e-5,
                  .why =
                      "the short sine is off by 2^-21 here, the exponential by some units in the last place"},
    .delta = 0.02,
});

}  // namespace microbench::memory_kern_nvcc_flags
