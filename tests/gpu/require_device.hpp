// Opens every test that needs a device.
#pragma once

#include <cuda_runtime_api.h>

#include <catch2/catch_test_macros.hpp>

/// Skips the test, with CUDA's own reason, where no CUDA device can be used.
inline void require_device() {
  int devices = 0;
  const auto status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess) {
    cudaGetLastError();
    SKIP("no CUDA device: " << cudaGetErrorString(status));
  }
  if (devices == 0) SKIP("no CUDA device");
}
