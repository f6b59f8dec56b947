// Measure memory with more bytes than the caches hold.
//
// Question: 128 MiB are copied: once, or 1 MiB 128 times over. How much faster does the second look?
//
// The second time that a block is read it lies in a cache, if the cache holds it, and the cache is several
// times as fast as memory. A benchmark that goes over one buffer again and again measures the smallest cache
// in which the buffer fits. Its bytes per second are right for what it did, and wrong for what they are
// quoted for: an epoch that reads each sample once, an optimizer that goes through gigabytes. A device is the
// same; its second-level cache holds tens of MiB.
//
// When it does not matter: where the program works on little data again and again, since then the cache's
// rate is the one that it gets. The size belongs beside every rate either way.
//
// A row has both timers read three times how long copying 128 blocks takes: the wrong one copies the same
// block 128 times, the right one all of them at once. On the CPU a block is 1 MiB; on a device source and
// target fill half of its second-level cache, and the 128 copies are replayed as one graph, since launching
// them would take the host longer than the cache does. The verdict compares the timers: `too little` says
// that the wrong one reads less.
//
// Answer: By the ratio of the cache's rate to memory's, several times. Both numbers are right for what they
// did; only the second is not a rate of memory.

#include "harness/cuda/device.hpp"
#include "harness/cuda/graph.hpp"

#include "microbench/tip.hpp"
#include "microbench/traps/timers.hpp"

namespace microbench::traps_hot_cache {

constexpr std::int64_t mib = std::int64_t{1} << 20;
constexpr std::int64_t times = 128;

struct State {
  State(const Setup& setup, std::int64_t block_bytes) : device(setup.device), block(block_bytes) {
    const auto options = at::TensorOptions().device(torch_device(device)).dtype(at::kByte);
    from = at::arange(times * block, options);
    to = at::zeros_like(from);
    copy_block();  // nothing is set up inside of a capture
    if (setup.stream != nullptr) replayed.emplace(Graph(*setup.stream, [this] { copy_block_often(); }));
    stream = setup.stream;
  }
  void copy_block() const { to.narrow(0, 0, block).copy_(from.narrow(0, 0, block), /*non_blocking=*/true); }
  void copy_block_often() const {
    for (std::int64_t i = 0; i < times; ++i) copy_block();
  }
  double copy_hot() {
    return time([&] { replayed ? replayed->launch(*stream) : copy_block_often(); });
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
  const Stream* stream = nullptr;
  std::optional<GraphExec> replayed;  // on a device: all copies of the block
};

/// The bytes of a block that fits into the cache beside its copy, with as much again to spare.
std::int64_t cached_block(const Device& device) {
  if (!device.is_cuda()) return mib;
  const auto cache = device_attribute(cudaDevAttrL2CacheSize, device.index);
  if (cache <= 0) throw Skip("the device does not say how large its second-level cache is");
  return cache / 4;
}

Trial prepare(Setup& setup, const Point&) {
  const auto block = cached_block(setup.device);
  if (setup.device.is_cuda()) require_device_memory(static_cast<std::size_t>(2 * times * block));
  const auto s = std::make_shared<State>(setup, block);
  return timer_trial(
      {[s] { return typical([&] { return s->copy_hot(); }, 3); },
       [s] { return typical([&] { return s->copy_all(); }, 3); }},
      [s] { s->to.narrow(0, 0, s->block).zero_(); },
      [s](Form) -> Answer { return numbers_of(s->to.narrow(0, 0, s->block)); });
}

extern constexpr Step step = checked({
    .id = "traps/hot_cache",
    .claim = "A small buffer that is copied again and again makes memory look faster than it is.",
    .sides = timer_sides,
    .source = {.title = "McCalpin, Sustainable Memory Bandwidth in Current High Performance Computers",
               .url = "https://www.cs.virginia.edu/~mccalpin/papers/bandwidth/node2.html",
               .where = "The STREAM Benchmark: arrays larger than the cache"},
    .prepare = prepare,
    .expectation = {.outcome = Outcome::hurts, .published = timers_differ, .on_cpu = Outcome::hurts},
    .row_seconds = 10,
});

}  // namespace microbench::traps_hot_cache
