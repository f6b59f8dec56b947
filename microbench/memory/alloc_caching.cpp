// Take device memory from a caching allocator instead of from the driver.
//
// Question: 16 blocks of 1 MiB are taken and given back. By what factor is a warm cache faster than the
// driver?
//
// cudaMalloc asks the driver for pages and maps them into the device's address space; cudaFree takes them out
// again, and must first wait until nothing on the device can still touch them. So every free stops the host
// until the whole device is idle, whatever stream it works on, and the device's queue runs empty. A caching
// allocator keeps what is freed and hands it out again on the same stream: the order of the stream already
// guarantees that the old use is over before the new one begins, so the allocator asks neither the driver nor
// the device. LibTorch does this for every tensor.
//
// What it costs is memory: what lies in the cache is lost to other processes and, in pieces of the wrong
// size, to this one. When it does not matter: for buffers that are made once and kept.
//
// In a run, `blocks` blocks are taken, each is written to, and all are given back. The cache is warm: an
// untimed run opens every slot. Both sides are timed by the host's clock, since the price is the host's.
//
// Answer: Several times: each cudaMalloc maps pages, and each cudaFree waits for the device. On the H200
// here (commit 7400cad) 995 us became 191 us, a factor of 5; the writing of the blocks is in both.

#include "microbench/memory/allocator_settings.hpp"
#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"

#include <ATen/Context.h>

namespace microbench::memory_alloc_caching {

namespace caching = c10::cuda::CUDACachingAllocator;

constexpr Axis axes[] = {
    {.name = "bytes",
     .about = "of a block",
     .values = {4 << 10, 1 << 20, 64 << 20},
     .quick = {1 << 20},
     .unit = Unit::bytes},
    {.name = "blocks", .about = "held at once, in one run", .values = {1, 16}, .quick = {16}}};

Trial prepare(Setup& setup, const Point& point) {
  const auto size = static_cast<std::size_t>(point["bytes"]);
  const auto count = static_cast<std::size_t>(point["blocks"]);
  const auto& stream = *setup.stream;
  at::globalContext().lazyInitDevice(at::kCUDA);  // raw requests do not
  require_device_memory(2 * count * size);        // what is cached stays while the other form runs
  const auto s = std::make_shared<Blocks>(count, size);

  return {
      .naive = [s, &stream] { s->use(stream, take_from_driver, give_to_driver); },
      .optimized =
          [s, &stream] {
            const auto take = [&](std::size_t bytes) {
              return caching::raw_alloc_with_stream(bytes, stream.get());
            };
            s->use(stream, take, caching::raw_delete);
          },
      .clear = [s, &stream] { s->clear(stream); },
      .answer = [s, &stream](Form) -> Answer { return read_back(s->seen, stream); },
  };
}

extern constexpr Step step = checked({
    .id = "memory/alloc_caching",
    .claim = "A caching allocator takes and gives back device memory without the driver and without waiting.",
    .claim_ids = "alloc-caching",
    .sides = {"driver", "caching allocator"},
    .source = cuda_semantics("Memory management"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
    .suite = Suite::quick,
});

}  // namespace microbench::memory_alloc_caching
