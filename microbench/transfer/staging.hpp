// Ordinary memory on its way to the device through pinned memory of one's own.
#pragma once

#include "harness/cuda/event.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"

#include <cuda_runtime_api.h>

#include <ATen/Parallel.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace microbench {

/// memcpy, shared among LibTorch's threads where there is enough of it.
inline void copy_with_threads(std::byte* to, const std::byte* from, std::size_t size) {
  constexpr std::int64_t smallest = 64 << 10;
  at::parallel_for(0, static_cast<std::int64_t>(size), smallest, [&](std::int64_t begin, std::int64_t end) {
    std::memcpy(to + begin, from + begin, static_cast<std::size_t>(end - begin));
  });
}

/// `size` bytes that go through a staging buffer in parts. Where it is one part, the buffer holds all of it;
/// else two parts, so that one is filled while the other is on its way.
struct StagedCopy {
  StagedCopy(std::size_t size, std::size_t at_once)
      : source(size), staging(at_once < size ? 2 * at_once : size), target(size), part(at_once) {}

  /// Returns when the last part is queued, not when it has arrived.
  void run(bool several_threads, const harness::Stream& stream) const {
    for (std::size_t at = 0, turn = 0; at < source.size(); at += part, turn = 1 - turn) {
      auto* const own = staging.data() + turn * part;
      const auto size = std::min(part, source.size() - at);
      left[turn].synchronize();  // at once where nothing has been sent from here yet
      if (several_threads)
        copy_with_threads(own, source.data() + at, size);
      else
        std::memcpy(own, source.data() + at, size);
      harness::check(cudaMemcpyAsync(target.data() + at, own, size, cudaMemcpyHostToDevice, stream.get()));
      left[turn].record(stream);
    }
  }

  harness::PageableBuffer source;
  harness::PinnedBuffer staging;
  harness::DeviceBuffer target;
  std::size_t part;
  std::array<harness::Event, 2> left;  // when the stream has read that half of the staging buffer
};

}  // namespace microbench
