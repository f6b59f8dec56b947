// Pages of the host fresh from the system, for the steps on what pinning memory costs; ordinary memory on its
// way to the device through pinned memory of one's own; and what the processor does with memory that it
// shares with the device.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/cuda/device.hpp"
#include "harness/cuda/event.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"

#include <ATen/Parallel.h>

#include <numeric>
#include <sys/mman.h>
#include <thread>

namespace microbench {

inline constexpr std::size_t page_size = 4096;

/// Pages that nobody has touched, given back to the system when this goes away. Not from malloc: it keeps
/// what it gets back, and would hand out pages that are mapped already.
class FreshPages {
 public:
  /// Throws std::bad_alloc.
  explicit FreshPages(std::size_t size)
      : size_(size), data_(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (data_ == MAP_FAILED) throw std::bad_alloc();
  }
  FreshPages(const FreshPages&) = delete;
  FreshPages& operator=(const FreshPages&) = delete;
  ~FreshPages() { munmap(data_, size_); }

  std::span<std::byte> bytes() const noexcept { return {static_cast<std::byte*>(data_), size_}; }

 private:
  std::size_t size_;
  void* data_;
};

/// Throws Skip where memory of the host cannot be pinned where it lies.
inline void require_registration(const harness::Device& device) {
  if (harness::device_attribute(cudaDevAttrHostRegisterSupported, device.index) == 0)
    throw harness::Skip("the device does not support cudaHostRegister");
}

/// Writes to every page, which is when the system maps it: `threads` threads share them, this one included.
inline void map_pages(std::span<std::byte> bytes, int threads) {
  const auto touch = [](std::span<std::byte> part) {
    for (std::size_t at = 0; at < part.size(); at += page_size) part[at] = std::byte{1};
  };
  const auto sharers = static_cast<std::size_t>(std::max(threads, 1));
  const auto pages = (bytes.size() + page_size - 1) / page_size;
  const auto share = (pages + sharers - 1) / sharers * page_size;
  std::vector<std::jthread> others;  // joined at the end of this function
  for (std::size_t at = share; at < bytes.size(); at += share)
    others.emplace_back(touch, bytes.subspan(at, std::min(share, bytes.size() - at)));
  touch(bytes.first(std::min(share, bytes.size())));
}

/// Numbers every page in its first word and adds up what it then finds there: the least use that touches all
/// of the memory. At least eight bytes in the last page.
inline std::uint64_t use_pages(std::span<std::byte> bytes) {
  std::uint64_t number = 0;
  for (std::size_t at = 0; at < bytes.size(); at += page_size) {
    ++number;
    std::memcpy(bytes.data() + at, &number, sizeof number);
  }
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at < bytes.size(); at += page_size) {
    std::uint64_t found = 0;
    std::memcpy(&found, bytes.data() + at, sizeof found);
    sum += found;
  }
  return sum;
}

inline constexpr std::size_t cache_line = 64;

/// The numbers of the lines in `size` bytes, in random order.
inline std::vector<std::uint32_t> shuffled_lines(std::size_t size, std::uint64_t seed) {
  std::vector<std::uint32_t> order(size / cache_line);
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
  return order;
}

/// Writes a word into each line, in that order: its number.
inline void write_lines(std::span<std::byte> bytes, std::span<const std::uint32_t> order) {
  for (const std::uint64_t line : order) std::memcpy(bytes.data() + line * cache_line, &line, sizeof line);
}

/// The sum of all whole words.
inline std::uint64_t sum_of_words(std::span<const std::byte> bytes) {
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at + sizeof sum <= bytes.size(); at += sizeof sum) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    sum += word;
  }
  return sum;
}

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
