// The bytes of the device, written and checked where they are.
#pragma once

#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"

namespace prices {

/// Writes the pattern of `seed` into device memory, or into any that the device reaches.
void fill_on_device(std::span<std::byte> bytes, std::uint32_t seed, const harness::Stream& stream);

/// Zeros, so that a check does not find what an earlier copy has left.
void clear_on_device(std::span<std::byte> bytes, const harness::Stream& stream);

/// Reads bytes on the device and compares them, apart from what such a check costs to set up.
class DeviceCheck {
 public:
  /// Queues the reading of all bytes.
  void queue(std::span<const std::byte> bytes, std::uint32_t seed, const harness::Stream& stream);
  /// Waits for it; throws std::runtime_error, naming how many words are wrong, unless all are the pattern's.
  void require(const harness::Stream& stream);

 private:
  harness::DeviceBuffer wrong_{sizeof(std::uint32_t)};
};

/// Both in one.
void require_on_device(std::span<const std::byte> bytes, std::uint32_t seed, const harness::Stream& stream);

/// The bytes of a buffer, on the host or on the device.
template <class Place>
std::span<std::byte> all_of(const harness::Buffer<Place>& buffer) {
  return {buffer.data(), buffer.size()};
}

}  // namespace prices
