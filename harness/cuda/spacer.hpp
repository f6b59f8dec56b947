// Memory that nobody uses: it moves what is allocated next.
#pragma once

#include "harness/core/slot_order.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"

namespace harness::inline cuda {

/// Of random length: some of the 2 MiB that the driver maps at once. On the device alone: the driver would
/// serve a small pinned block of a row out of the same 2 MiB as a pinned spacer, in 7 us instead of 1 ms.
class DeviceSpacer {
 public:
  explicit DeviceSpacer(Random& random) : on_device_(mapped * (1 + random.below(most_mapped))) {}

 private:
  static constexpr std::uint64_t mapped = 2 << 20;
  static constexpr std::uint64_t most_mapped = 16;

  DeviceBuffer on_device_;
};

}  // namespace harness::inline cuda
