// What this machine does at best in a second: bytes of memory, arithmetic, bytes over the link.
#pragma once

#include "harness/core/setup.hpp"

#include <memory>

namespace workloads::training {

constexpr double float_bytes = sizeof(float);

/// What a machine does in a second.
struct Rates {
  double bytes = 0;
  double flop = 0;        // FP32
  double link_bytes = 0;  // from pinned host memory to the device; 0 on the host
};

/// Measured in about a second: the fastest of some copies and sums of 256 MiB, and of some products of two
/// square matrices, on the host by either library. On a device sizes grow up to 1 GiB and 8192 rows, until a
/// run is long enough; so do those of copies from pinned memory, up to 256 MiB.
Rates measure_rates(const harness::Device& device);

/// Those of the session's device, measured once.
std::shared_ptr<const Rates> session_rates(harness::Setup& setup);

}  // namespace workloads::training
