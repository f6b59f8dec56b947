// Holds a stream up until a test says go: what is asynchronous then shows without any time.
#pragma once

#include "harness/cuda/check.hpp"

#include <cuda_runtime_api.h>

#include <future>

namespace stand_in::operators {

class HeldStream {
 public:
  explicit HeldStream(cudaStream_t stream) : stream_(stream) {
    const auto wait = [](void* held) { static_cast<HeldStream*>(held)->go_.get_future().wait(); };
    harness::check(cudaLaunchHostFunc(stream, wait, this));
  }
  ~HeldStream() {
    if (!released_) go_.set_value();
    cudaStreamSynchronize(stream_);
  }
  HeldStream(const HeldStream&) = delete;
  HeldStream& operator=(const HeldStream&) = delete;

  /// Lets the stream go on and waits for all that it has.
  void release() {
    released_ = true;
    go_.set_value();
    harness::check(cudaStreamSynchronize(stream_));
  }

 private:
  cudaStream_t stream_;
  std::promise<void> go_;
  bool released_ = false;
};

}  // namespace stand_in::operators
