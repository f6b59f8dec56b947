// Pages of the host fresh from the system, for the steps on what pinning memory costs.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/cuda/device.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <sys/mman.h>
#include <thread>
#include <vector>

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

}  // namespace microbench
