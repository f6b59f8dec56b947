// Arrays of floats on the device, for the steps on kernels.
#pragma once

#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"

#include <random>
#include <vector>

namespace microbench {

/// n floats in device memory.
class DeviceFloats {
 public:
  explicit DeviceFloats(std::size_t n) : buffer_(n * sizeof(float)) {}
  float* data() const { return reinterpret_cast<float*>(buffer_.data()); }
  std::size_t size() const { return buffer_.size() / sizeof(float); }

  /// Waits for the stream: the values may go at once.
  void upload(const std::vector<float>& values, const harness::Stream& stream) const {
    harness::check(cudaMemcpyAsync(data(), values.data(), values.size() * sizeof(float),
                                   cudaMemcpyHostToDevice, stream.get()));
    stream.synchronize();
  }
  std::vector<float> download(const harness::Stream& stream) const {
    std::vector<float> values(size());
    harness::check(
        cudaMemcpyAsync(values.data(), data(), buffer_.size(), cudaMemcpyDeviceToHost, stream.get()));
    stream.synchronize();
    return values;
  }
  /// Fills it with NaN, which no comparison lets pass.
  void clear(const harness::Stream& stream) const {
    harness::check(cudaMemsetAsync(data(), 0xFF, buffer_.size(), stream.get()));
    stream.synchronize();
  }

 private:
  harness::DeviceBuffer buffer_;
};

/// n values between -1 and 1; the same for the same seed.
inline std::vector<float> random_floats(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::vector<float> values(n);
  for (auto& value : values) value = static_cast<float>(engine() >> 40) / static_cast<float>(1 << 23) - 1;
  return values;
}

}  // namespace microbench
