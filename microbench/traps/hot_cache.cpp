// Measure memory with more bytes than the caches hold.
//
// Question: 128 MiB are copied: once, or 1 MiB 128 times over. How much faster does the second look?
//
// The second time that a block is read it lies in a cache, if the cache holds it, and the cache is several
// times as fast as memory. A benchmark that goes over one buffer again and again measures the smallest cache
// in which the buffer fits. Its bytes per second are right for what it did, and wrong for what they are
// quoted for: an epoch that reads each sample once, an optimizer that goes through gigabytes. A device is no
// different; its second-level cache holds tens of MiB.
//
// When it does not matter: where the program works on little data again and again, since then the cache's
// rate is the one that it gets. The size belongs beside every rate either way.
//
// A row has both timers read three times how long copying 128 MiB (CPU) or 512 MiB (device) takes: the wrong
// one copies a block of 1 MiB (4 MiB) as often as it takes, the right one all bytes once. The verdict
// compares the timers: `hurts` says that the right one reads more.

#include "harness/cuda/memory.hpp"
#include "harness/torch/answer.hpp"

#include "microbench/steps.hpp"
#include "microbench/traps/timers.hpp"

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>

namespace microbench {
namespace {

using namespace harness;

constexpr std::int64_t mib = std::int64_t{1} << 20;
constexpr std::int64_t times = 128;

struct State {
  State(const Device& on, std::int64_t block_bytes) : device(on), block(block_bytes) {
    const auto options = at::TensorOptions().device(torch_device(on)).dtype(at::kByte);
    from = at::arange(times * block, options);
    to = at::zeros_like(from);
  }
  double copy_hot() {
    const auto source = from.narrow(0, 0, block);
    auto target = to.narrow(0, 0, block);
    return time([&] {
      for (std::int64_t i = 0; i < times; ++i) target.copy_(source, /*non_blocking=*/true);
    });
  }
  double copy_all() {
    return time([&] { to.copy_(from, /*non_blocking=*/true); });
  }
  template <class Copy>
  double time(const Copy& copy) const {
    finish(device);
    return host_seconds([&] { copy(), finish(device); });
  }
  Device device;
  std::int64_t block;
  at::Tensor from, to;
};

Trial prepare(Setup& setup, const Point&) {
  const auto block = setup.device.is_cuda() ? 4 * mib : mib;
  if (setup.device.is_cuda()) require_device_memory(static_cast<std::size_t>(2 * times * block));
  const auto s = std::make_shared<State>(setup.device, block);
  return timer_trial(
      {[s] { return typical([&] { return s->copy_hot(); }, 3); },
       [s] { return typical([&] { return s->copy_all(); }, 3); }},
      [s] { s->to.narrow(0, 0, s->block).zero_(); },
      [s](Form) -> Answer { return numbers_of(s->to.narrow(0, 0, s->block)); });
}

}  // namespace

constexpr Step traps_hot_cache{
    .id = "traps/hot_cache",
    .claim = "A small buffer that is copied again and again makes memory look faster than it is.",
    .source = {.title = "McCalpin, Sustainable Memory Bandwidth in Current High Performance Computers",
               .url = "https://www.cs.virginia.edu/~mccalpin/papers/bandwidth/node2.html",
               .where = "The STREAM Benchmark: arrays larger than the cache"},
    .runs = Runs::each,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::hurts, .published = timers_differ, .on_cpu = Outcome::hurts},
    .row_seconds = 10,
    .full_only = true,
};
static_assert(well_formed(traps_hot_cache));

}  // namespace microbench
