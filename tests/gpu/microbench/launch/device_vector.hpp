// A vector's copy in device memory.
#pragma once

#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <vector>

/// Made from a vector, read back as one; both wait for the stream.
template <class T>
class DeviceVector {
 public:
  DeviceVector(const std::vector<T>& values, const harness::Stream& stream)
      : size_(values.size()), buffer_(values.size() * sizeof(T)) {
    harness::check(
        cudaMemcpyAsync(data(), values.data(), buffer_.size(), cudaMemcpyHostToDevice, stream.get()));
    stream.synchronize();
  }
  T* data() const { return reinterpret_cast<T*>(buffer_.data()); }
  std::vector<T> read(const harness::Stream& stream) const {
    std::vector<T> values(size_);
    harness::check(
        cudaMemcpyAsync(values.data(), data(), buffer_.size(), cudaMemcpyDeviceToHost, stream.get()));
    stream.synchronize();
    return values;
  }

 private:
  std::size_t size_;
  harness::DeviceBuffer buffer_;
};
