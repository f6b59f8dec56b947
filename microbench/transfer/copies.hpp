// What the steps on copies share: their axes, a pattern to copy, and the bytes to compare afterwards.
#pragma once

#include "harness/core/step.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"

namespace microbench {

inline constexpr harness::Axis copy_axes[] = {
    {.name = "bytes",
     .about = "of one copy",
     .values = {64 << 10, 1 << 20, 16 << 20, 64 << 20, 256 << 20},
     .quick = {16 << 20},
     .unit = harness::Unit::bytes},
    {.name = "timer",
     .about = "wall: the host's clock, waiting for the device at both ends; event: a pair of CUDA events",
     .labels = {"wall", "event"}},  // in the order of Timer
};

/// Bytes without a period that a lost or doubled page could hide in.
inline void fill_pattern(std::span<std::byte> out, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  for (std::size_t i = 0; i < out.size(); i += sizeof(std::uint64_t)) {
    const std::uint64_t word = engine();
    std::memcpy(out.data() + i, &word, std::min(sizeof word, out.size() - i));
  }
}

inline std::vector<std::byte> copy_of(std::span<const std::byte> bytes) {
  return {bytes.begin(), bytes.end()};
}

/// A number as an answer that must agree to the last bit.
inline std::vector<std::byte> number_bytes(std::uint64_t number) {
  return copy_of(std::as_bytes(std::span(&number, 1)));
}

/// Bytes that no step copies, so that an answer from before cannot be taken for a new one. The second waits.
inline void scribble(std::span<std::byte> bytes) { std::memset(bytes.data(), 0xA5, bytes.size()); }
inline void scribble(const harness::DeviceBuffer& buffer, const harness::Stream& stream) {
  harness::check(cudaMemsetAsync(buffer.data(), 0xA5, buffer.size(), stream.get()));
  stream.synchronize();
}

/// What lies in the buffer once the stream has got there.
inline std::vector<std::byte> read_back(const harness::DeviceBuffer& buffer, const harness::Stream& stream) {
  std::vector<std::byte> bytes(buffer.size());
  harness::check(
      cudaMemcpyAsync(bytes.data(), buffer.data(), bytes.size(), cudaMemcpyDeviceToHost, stream.get()));
  stream.synchronize();
  return bytes;
}

}  // namespace microbench
