// What a warp does together in kernels of this folder.
#pragma once

namespace workloads::stgym {

constexpr int warp = 32;
constexpr unsigned everyone = 0xffffffffU;

/// Every lane gets the result.
inline __device__ float warp_sum(float value) {
  for (int step = warp / 2; step > 0; step /= 2) value += __shfl_xor_sync(everyone, value, step);
  return value;
}
inline __device__ float warp_max(float value) {
  for (int step = warp / 2; step > 0; step /= 2) value = fmaxf(value, __shfl_xor_sync(everyone, value, step));
  return value;
}

}  // namespace workloads::stgym
