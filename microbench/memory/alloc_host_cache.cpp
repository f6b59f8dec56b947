// Take pinned memory for a batch from a cache instead of pinning it again each time.
//
// Question: Four batches of 1 MiB are written into pinned memory that is new or kept. How much longer does
// new memory take?
//
// To pin memory is to take its pages away from the operating system one by one and to enter them into the
// tables of the device; to give it back undoes both, and before that the device must have finished reading.
// Either can cost more than the copy that the memory was pinned for. LibTorch keeps pinned blocks that were
// freed. With a block goes an event for each stream that used it; when the events have passed, the block is
// handed out again. Nobody waits: while a copy is still under way, the next batch simply gets another block.
//
// What it costs: pinned memory that is kept is lost to the rest of the machine, and sizes are rounded up to
// the next power of two: 129 MiB take 256. (Since PyTorch 2.13 you can set `pinned_max_round_threshold_mb`;
// above it nothing is rounded.) When it does not matter: for one staging buffer that is made once and kept
// by hand, which is what the cache comes to with batches of one size.
//
// In a run, four batches are each written into fresh pinned memory and copied to the device. The first side
// must wait for its copy before it may free.
//
// Answer: Many times: pinning enters every page into the device's tables and takes it out again, which can
// cost more than the copy; a kept block costs a look into a list. The row gives the factor, with filling and
// copying on both sides.

#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"

#include <ATen/core/CachingHostAllocator.h>
#include <c10/cuda/CUDAStream.h>

namespace microbench::memory_alloc_host_cache {

constexpr Axis axes[] = {
    {.name = "bytes", .about = "of a batch", .values = {64 << 10, 1 << 20, 16 << 20}, .unit = Unit::bytes}};
constexpr std::size_t batches = 4;

/// The data of all batches, and where they go.
struct State {
  explicit State(std::size_t batch) : size(batch), source(batches * batch), device(batches * batch) {}

  /// Writes batch i into pinned memory and queues its copy.
  void send(std::size_t i, void* pinned, const Stream& stream) const {
    std::memcpy(pinned, source.data() + i * size, size);
    check(cudaMemcpyAsync(device.data() + i * size, pinned, size, cudaMemcpyHostToDevice, stream.get()));
  }

  std::size_t size;
  PageableBuffer source;
  DeviceBuffer device;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto size = static_cast<std::size_t>(point["bytes"]);
  const auto& stream = *setup.stream;
  require_device_memory(batches * size);
  const auto s = std::make_shared<State>(size);
  fill_pattern(s->source.bytes(), setup.seed);
  auto* const cache = at::getHostAllocator(at::kCUDA);

  return {
      .naive =
          [s, &stream] {
            for (std::size_t i = 0; i < batches; ++i) {
              const PinnedBuffer pinned(s->size);
              s->send(i, pinned.data(), stream);
              stream.synchronize();
            }
          },
      .optimized =
          [s, &stream, cache] {
            for (std::size_t i = 0; i < batches; ++i) {
              const auto pinned = cache->allocate(s->size);
              s->send(i, pinned.get(), stream);
              cache->record_event(pinned.get(), pinned.get_context(),
                                  c10::cuda::getCurrentCUDAStream().unwrap());
            }
          },
      .clear = [s, &stream] { scribble(s->device, stream); },
      .answer = [s, &stream](Form) -> Answer { return read_back(s->device, stream); },
      .bytes_moved = batches* size,
  };
}

extern constexpr Step step = checked({
    .id = "memory/alloc_host_cache",
    .claim =
        "A caching allocator of pinned memory saves the pinning of each batch and the wait before freeing.",
    .claim_ids = "alloc-host-cache",
    .sides = {"pinned each time", "cached"},
    .source = cuda_semantics("Optimizing memory usage with PYTORCH_CUDA_ALLOC_CONF, the pinned_ options"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
});

}  // namespace microbench::memory_alloc_host_cache
