// Opens every test that needs a device.
#pragma once

#include "harness/cuda/device.hpp"

#include <catch2/catch_test_macros.hpp>

/// Skips the test, with the reason, where no CUDA device runs this build's kernels: none is there, the driver
/// is too old, or the device's architecture was not built. Launches the empty kernel to find out.
inline harness::DeviceFacts require_device() {
  auto facts = harness::probe_device(0, "others");
  if (facts.status != "ok") SKIP(facts.message);
  return facts;
}

/// Whether durations mean anything: on the stand-in (stand_in/) they do not.
inline bool has_times(const harness::DeviceFacts& device) { return !device.name.starts_with("stand-in"); }

/// Skips the test where durations mean nothing.
inline void require_times() {
  if (!has_times(require_device())) SKIP("stand-in: it has no times");
}
