// Let the stream order what is taken and given back: cudaMallocAsync instead of cudaMalloc.
//
// Question: How much of cudaMalloc's time is left with cudaMallocAsync, and is the caching allocator still
// faster?
//
// cudaFree must wait until the whole device is idle, since it cannot know which stream still reads the block.
// cudaMallocAsync and cudaFreeAsync are work of a stream like a kernel is: the block is valid for what is
// queued between them, and a later request may get it again at once. Behind them lies a pool of the driver.
// How much it keeps when the host next synchronizes is its release threshold, at first 0: everything goes
// back, and the gain with it. The pool of this step keeps everything.
//
// When it does not matter: against an allocator that caches already, as LibTorch's (`against:caching`).
//
// In a run, `blocks` blocks are taken, each is written to, and all are given back.
//
// Answer: Little, if the pool keeps its memory: no wait for the device, only two calls for each block.
// LibTorch's caching allocator calls neither the driver nor the device, so it should be as fast or faster.
// With the pool's usual threshold of 0 the gain is lost at each synchronization.

#include "harness/cuda/device.hpp"

#include "microbench/memory/allocator_settings.hpp"
#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"

#include <ATen/Context.h>

namespace microbench::memory_alloc_stream_ordered {

namespace caching = c10::cuda::CUDACachingAllocator;

constexpr Axis axes[] = {
    {.name = "bytes", .about = "of a block", .values = {64 << 10, 16 << 20}, .unit = Unit::bytes},
    {.name = "blocks", .about = "held at once, in one run", .values = {1, 16}},
    {.name = "against",
     .about = "the naive form: cudaMalloc and cudaFree, or LibTorch's cache",
     .labels = {"cudamalloc", "caching"}}};

struct State {
  State(std::size_t count, std::size_t size, int device) : blocks(count, size), pool(device) {}
  Blocks blocks;
  StreamPool pool;
};

Trial prepare(Setup& setup, const Point& point) {
  if (device_attribute(cudaDevAttrMemoryPoolsSupported, setup.device.index) == 0)
    throw Skip("the device has no memory pools");
  const auto size = static_cast<std::size_t>(point["bytes"]);
  const auto count = static_cast<std::size_t>(point["blocks"]);
  const auto& stream = *setup.stream;
  at::globalContext().lazyInitDevice(at::kCUDA);  // raw requests do not
  require_device_memory(3 * count * size);
  const auto s = std::make_shared<State>(count, size, setup.device.index);

  const auto from_driver = [s, &stream] { s->blocks.use(stream, take_from_driver, give_to_driver); };
  const auto from_cache = [s, &stream] {
    const auto take = [&](std::size_t n) { return caching::raw_alloc_with_stream(n, stream.get()); };
    s->blocks.use(stream, take, caching::raw_delete);
  };
  return {
      .naive = point["against"] == 0 ? std::function<void()>(from_driver) : from_cache,
      .optimized =
          [s, &stream] {
            const auto give = [&](void* block) { check(cudaFreeAsync(block, stream.get())); };
            s->blocks.use(stream, [&](std::size_t n) { return s->pool.take(n, stream); }, give);
          },
      .clear = [s, &stream] { s->blocks.clear(stream); },
      .answer = [s, &stream](Form) -> Answer { return read_back(s->blocks.seen, stream); },
  };
}

extern constexpr Step step = checked({
    .id = "memory/alloc_stream_ordered",
    .claim = "cudaMallocAsync and cudaFreeAsync spare the device-wide waiting of cudaMalloc and cudaFree.",
    .claim_ids = "alloc-stream-ordered",
    .sides = {"cudaMalloc", "cudaMallocAsync"},
    .source = {.title = "Using the NVIDIA CUDA Stream-Ordered Memory Allocator, Part 2",
               .url = "https://developer.nvidia.com/blog/using-cuda-stream-ordered-memory-allocator-part-2/",
               .where = "RAPIDS gpu-bdb results"},
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "2 to 5 times end to end (gpu-bdb SF1000, DGX-2 with 16 V100)",
                    .about = "against:cudamalloc"},
});

}  // namespace microbench::memory_alloc_stream_ordered
