#pragma once

#include "harness/core/setup.hpp"
#include "harness/cuda/check.hpp"

#include <cstddef>
#include <span>

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

}  // namespace harness::inline cuda
