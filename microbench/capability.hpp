// What the device's arithmetic must offer for a point to say something.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/cuda/device.hpp"

namespace microbench {

/// Throws Skip where a CUDA device is older than compute capability `major`.0, which `what` needs.
inline void require_capability(const harness::Device& device, int major, const std::string& what) {
  if (harness::device_attribute(cudaDevAttrComputeCapabilityMajor, device.index) < major)
    throw harness::Skip(what + " needs compute capability " + std::to_string(major) + ".0 or above");
}

}  // namespace microbench
