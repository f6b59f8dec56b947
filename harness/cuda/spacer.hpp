// Memory that nobody uses: it moves what is allocated next.
#pragma once

#include "harness/core/slot_order.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"

#include <cstdint>
#include <optional>

namespace harness::inline cuda {

/// Of random length: some of the 2 MiB that the driver maps at once, and pinned memory where the system gives
/// any.
class DeviceSpacer {
 public:
  explicit DeviceSpacer(Random& random) : on_device_(mapped * (1 + random.below(most_mapped))) {
    const auto pinned = page * (1 + random.below(most_pages));
    try {
      pinned_.emplace(pinned);
    } catch (const Skip&) {  // the steps that need none still run
    }
  }

 private:
  static constexpr std::uint64_t page = 4096;
  static constexpr std::uint64_t most_pages = 256;
  static constexpr std::uint64_t mapped = 2 << 20;
  static constexpr std::uint64_t most_mapped = 16;

  DeviceBuffer on_device_;
  std::optional<PinnedBuffer> pinned_;
};

}  // namespace harness::inline cuda
