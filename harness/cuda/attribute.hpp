#pragma once

#include "harness/cuda/check.hpp"

#include <cuda_runtime_api.h>

namespace harness::inline cuda {

/// What the device says of itself.
inline int device_attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

}  // namespace harness::inline cuda
