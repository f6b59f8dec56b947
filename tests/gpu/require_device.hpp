// Opens every test that needs a device.
#pragma once

#include "harness/cuda/device.hpp"

#include <catch2/catch_test_macros.hpp>

/// Skips the test, with the reason, where no CUDA device runs this build's kernels: none is there, the driver
/// is too old, or the device's architecture was not built. Launches the empty kernel to find out.
inline void require_device() {
  const auto facts = harness::probe_device(0, "others");
  if (facts.status != "ok") SKIP(facts.message);
}

/// Whether durations mean anything: on the stand-in (tests/stand_in) they do not.
inline bool has_times() { return !harness::probe_device(0, "others").name.starts_with("stand-in"); }

/// Skips the test where durations mean nothing.
inline void require_times() {
  require_device();
  if (!has_times()) SKIP("stand-in: it has no times");
}
