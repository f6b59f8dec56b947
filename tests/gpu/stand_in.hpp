// Whether a test runs on the stand-in (stand_in/), which has neither times nor CUPTI's records.
#pragma once

#include <cuda_runtime_api.h>

#include <string_view>

inline bool on_stand_in() {
  cudaDeviceProp device{};
  return cudaGetDeviceProperties(&device, 0) == cudaSuccess &&
         std::string_view(device.name).starts_with("stand-in");
}
