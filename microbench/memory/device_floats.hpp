// Arrays of floats on the device, for the steps on kernels; the same values side by side and spread out, and
// the host's copy of either.
#pragma once

#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"

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

/// Spread out, value i lies at offset + i * stride, with others between.
struct SpreadValues {
  SpreadValues(std::size_t n, std::size_t stride, std::size_t offset, std::uint64_t seed)
      : packed(random_floats(n, seed)), spread(offset + n * stride, 7.0F) {
    for (std::size_t i = 0; i < n; ++i) spread[offset + i * stride] = packed[i];
  }
  std::vector<float> packed, spread;
};

/// out[i] = in[i * stride] for all of out.
inline void copy_strided(std::vector<float>& out, const std::vector<float>& in, std::size_t stride) {
  const auto* from = in.data();
  for (auto& value : out) {
    value = *from;
    from += stride;
  }
}

}  // namespace microbench
