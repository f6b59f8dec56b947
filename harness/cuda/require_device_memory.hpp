#pragma once

#include "harness/core/setup.hpp"
#include "harness/cuda/check.hpp"

#include <cstddef>

namespace harness::inline cuda {

/// Throws Skip unless the current device has so many bytes free: before anything is allocated, so that a
/// large point on a small device is a reason and not an error.
inline void require_device_memory(std::size_t bytes) {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total));
  if (bytes <= free) return;
  constexpr double gib = 1 << 30;
  char reason[96];
  std::snprintf(reason, sizeof reason, "needs %.1f GiB on the device, %.1f GiB are free",
                static_cast<double>(bytes) / gib, static_cast<double>(free) / gib);
  throw Skip(reason);
}

}  // namespace harness::inline cuda
