// The places where bytes can live. The type says which, so that a copy reads as what it is.
#pragma once

#include "harness/cuda/check.hpp"
#include "harness/cuda/registered_memory.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

namespace harness::inline cuda {

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

}  // namespace harness::inline cuda
