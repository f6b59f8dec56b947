#pragma once

#include "harness/cuda/check.hpp"

#include <memory>
#include <type_traits>

namespace harness::inline cuda {

/// Owns a non-blocking stream: the legacy default stream never joins a measurement by accident.
class Stream {
 public:
  Stream() {
    cudaStream_t raw{};
    check(cudaStreamCreateWithFlags(&raw, cudaStreamNonBlocking));
    handle_.reset(raw);
  }
  cudaStream_t get() const noexcept { return handle_.get(); }
  void synchronize() const { check(cudaStreamSynchronize(get())); }

 private:
  struct Destroy {
    void operator()(cudaStream_t stream) const noexcept { report(cudaStreamDestroy(stream)); }
  };
  std::unique_ptr<std::remove_pointer_t<cudaStream_t>, Destroy> handle_;
};

}  // namespace harness::inline cuda
