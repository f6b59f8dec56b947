// The places where bytes can live. The type says which, so that a copy reads as what it is. Memory that
// nobody uses moves what is allocated next.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/core/slot_order.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/stream.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

namespace harness::inline cuda {

/// Checks a call that asked for page-locked memory. There is less of it than of other memory, on WSL by far:
/// throws Skip where the system gives no more, or locks no pages where they lie.
inline void check_locked(cudaError_t status, std::size_t size,
                         const std::source_location& at = std::source_location::current()) {
  if (status == cudaErrorMemoryAllocation || status == cudaErrorNotSupported) {
    cudaGetLastError();
    throw Skip("needs " + std::to_string(size >> 10) + " KiB of page-locked memory, which " +
               (status == cudaErrorNotSupported ? "cannot be locked in place" : "the system refuses"));
  }
  check(status, at);
}

/// Keeps memory of somebody else page-locked while it lives.
class PageLock {
 public:
  explicit PageLock(std::span<std::byte> bytes) : data_(bytes.data()) {
    check_locked(cudaHostRegister(data_, bytes.size(), cudaHostRegisterDefault), bytes.size());
  }
  PageLock(const PageLock&) = delete;
  PageLock& operator=(const PageLock&) = delete;
  ~PageLock() { report(cudaHostUnregister(data_)); }

 private:
  void* data_;
};

/// Ordinary memory of the host, page-aligned like the pinned kind. Its pages are written once here: pages
/// that nobody has touched are all one page of zeros, and copying them measures nothing.
struct Pageable {
  static constexpr bool on_host = true;
  static void* allocate(std::size_t size) {
    constexpr std::size_t page = 4096;
    void* raw = std::aligned_alloc(page, (size + page - 1) / page * page);
    if (raw == nullptr) throw std::bad_alloc();
    return std::memset(raw, 0, size);
  }
  static void release(void* bytes) noexcept { std::free(bytes); }
};

/// Page-locked memory of the host: the device reads and writes it by itself.
struct Pinned {
  static constexpr bool on_host = true;
  static void* allocate(std::size_t size) {
    void* raw = nullptr;
    check_locked(cudaMallocHost(&raw, size), size);
    return raw;
  }
  static void release(void* bytes) noexcept { report(cudaFreeHost(bytes)); }
};

/// Page-locked memory past the host's caches: quick to write in order, very slow to read.
struct WriteCombined {
  static constexpr bool on_host = true;
  static void* allocate(std::size_t size) {
    void* raw = nullptr;
    check_locked(cudaHostAlloc(&raw, size, cudaHostAllocWriteCombined), size);
    return raw;
  }
  static void release(void* bytes) noexcept { report(cudaFreeHost(bytes)); }
};

/// Page-locked memory that kernels reach across the bus by the same address.
struct Mapped {
  static constexpr bool on_host = true;
  static void* allocate(std::size_t size) {
    void* raw = nullptr;
    check_locked(cudaHostAlloc(&raw, size, cudaHostAllocMapped), size);
    return raw;
  }
  static void release(void* bytes) noexcept { report(cudaFreeHost(bytes)); }
};

/// Ordinary memory, page-locked where it lies.
struct Registered {
  static constexpr bool on_host = true;
  static void* allocate(std::size_t size) {
    void* raw = Pageable::allocate(size);
    const auto status = cudaHostRegister(raw, size, cudaHostRegisterDefault);
    if (status != cudaSuccess) Pageable::release(raw);
    check_locked(status, size);
    return raw;
  }
  static void release(void* bytes) noexcept {
    report(cudaHostUnregister(bytes));
    Pageable::release(bytes);
  }
};

/// Memory that moves to whoever touches it, host or device.
struct Managed {
  static constexpr bool on_host = true;
  static void* allocate(std::size_t size) {
    void* raw = nullptr;
    check(cudaMallocManaged(&raw, size));
    return raw;
  }
  static void release(void* bytes) noexcept { report(cudaFree(bytes)); }
};

/// Memory of the current device.
struct OnDevice {
  static constexpr bool on_host = false;
  static void* allocate(std::size_t size) {
    void* raw = nullptr;
    check(cudaMalloc(&raw, size));
    return raw;
  }
  static void release(void* bytes) noexcept { report(cudaFree(bytes)); }
};

/// Owns `size()` bytes at one place. Moved from, it is empty.
template <class Place>
class Buffer {
 public:
  /// Throws std::invalid_argument for no bytes; where there are not that many, Skip if they were to be
  /// page-locked, else CudaError or std::bad_alloc.
  explicit Buffer(std::size_t size) {
    if (size == 0) throw std::invalid_argument("a buffer of no bytes");
    data_ = {static_cast<std::byte*>(Place::allocate(size)), Release{size}};
  }
  /// On the device this is an address to hand on, not to read from.
  std::byte* data() const noexcept { return data_.get(); }
  std::size_t size() const noexcept { return data_ ? data_.get_deleter().size : 0; }
  std::span<std::byte> bytes() const noexcept
    requires Place::on_host
  {
    return {data(), size()};
  }

 private:
  struct Release {
    std::size_t size = 0;
    void operator()(std::byte* bytes) const noexcept { Place::release(bytes); }
  };
  std::unique_ptr<std::byte, Release> data_;
};

using PageableBuffer = Buffer<Pageable>;
using PinnedBuffer = Buffer<Pinned>;
using WriteCombinedBuffer = Buffer<WriteCombined>;
using MappedBuffer = Buffer<Mapped>;
using RegisteredBuffer = Buffer<Registered>;
using ManagedBuffer = Buffer<Managed>;
using DeviceBuffer = Buffer<OnDevice>;

/// Queues the move of managed memory to a place. CUDA 13 takes a place where CUDA 12 takes the number of a
/// device: hence the template.
template <class Place>
void prefetch(const Place& place, std::span<std::byte> bytes, const Stream& stream) {
  if constexpr (requires { cudaMemPrefetchAsync(bytes.data(), bytes.size(), place, 0U, stream.get()); })
    check(cudaMemPrefetchAsync(bytes.data(), bytes.size(), place, 0U, stream.get()));
  else
    check(cudaMemPrefetchAsync(bytes.data(), bytes.size(), place.id, stream.get()));
}

/// Of random length: some of the 2 MiB that the driver maps at once. On the device alone: the driver would
/// serve a small pinned block of a row out of the same 2 MiB as a pinned spacer, in 7 us instead of 1 ms.
class DeviceSpacer {
 public:
  explicit DeviceSpacer(Random& random) : on_device_(mapped * (1 + random.below(most_mapped))) {}

 private:
  static constexpr std::uint64_t mapped = 2 << 20;
  static constexpr std::uint64_t most_mapped = 16;

  DeviceBuffer on_device_;
};

}  // namespace harness::inline cuda
