// What the steps on copies share: their axes, a pattern to copy, and the bytes to compare afterwards.
#pragma once

#include "harness/core/step.hpp"
#include "harness/cuda/pinned_and_device_buffer.hpp"
#include "harness/cuda/stream.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <string_view>
#include <vector>

namespace microbench {

inline constexpr std::int64_t copy_sizes[] = {64 << 10, 1 << 20, 16 << 20, 64 << 20, 256 << 20};
inline constexpr std::int64_t quick_copy_sizes[] = {16 << 20};
inline constexpr std::int64_t timers[] = {static_cast<std::int64_t>(harness::Timer::wall),
                                          static_cast<std::int64_t>(harness::Timer::event)};
inline constexpr std::string_view timer_names[] = {"wall", "event"};
inline constexpr harness::Axis copy_axes[] = {
    {.name = "bytes",
     .about = "of one copy",
     .values = copy_sizes,
     .quick = quick_copy_sizes,
     .unit = harness::Unit::bytes},
    {.name = "timer",
     .about = "wall: the host's clock, waiting for the device at both ends; event: a pair of CUDA events",
     .values = timers,
     .quick = timers,
     .unit = harness::Unit::label,
     .labels = timer_names},
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

/// What lies in the buffer once the stream has got there.
inline std::vector<std::byte> read_back(const harness::DeviceBuffer& buffer, const harness::Stream& stream) {
  std::vector<std::byte> bytes(buffer.size());
  harness::check(
      cudaMemcpyAsync(bytes.data(), buffer.data(), bytes.size(), cudaMemcpyDeviceToHost, stream.get()));
  stream.synchronize();
  return bytes;
}

}  // namespace microbench
