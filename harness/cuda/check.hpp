// Every CUDA call goes through check() or, where nothing may throw, report(). No macros.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdio>
#include <source_location>
#include <stdexcept>
#include <string>

namespace harness::inline cuda {

/// A CUDA call failed. `status()` is what it returned; what() names the place, the error and its meaning.
class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t status, const std::source_location& at)
      : std::runtime_error(std::string(at.file_name()) + ":" + std::to_string(at.line()) + ": " +
                           cudaGetErrorName(status) + ": " + cudaGetErrorString(status)),
        status_(status) {}
  cudaError_t status() const noexcept { return status_; }

 private:
  cudaError_t status_;
};

/// Throws CudaError unless the call succeeded. Clears the error, so that the next call is not blamed for it.
inline void check(cudaError_t status, const std::source_location& at = std::source_location::current()) {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  throw CudaError(status, at);
}

/// For destructors: says it once on stderr and goes on. Clears the error as check() does. Unloading at exit
/// is not an error.
inline void report(cudaError_t status,
                   const std::source_location& at = std::source_location::current()) noexcept {
  if (status == cudaSuccess || status == cudaErrorCudartUnloading) return;
  cudaGetLastError();
  std::fprintf(stderr, "%s:%u: %s\n", at.file_name(), static_cast<unsigned>(at.line()),
               cudaGetErrorName(status));
}

}  // namespace harness::inline cuda
