// What several kernels do: in a warp, at a block's end, among graphs.
#pragma once

#include <cstdint>

namespace workloads::stgym {

constexpr int warp = 32;
constexpr unsigned everyone = 0xffffffffU;

inline __device__ int lane() { return static_cast<int>(threadIdx.x) % warp; }
inline __device__ int own_warp() { return static_cast<int>(threadIdx.x) / warp; }

/// Every lane gets the result.
inline __device__ float warp_sum(float value) {
  for (int step = warp / 2; step > 0; step /= 2) value += __shfl_xor_sync(everyone, value, step);
  return value;
}
inline __device__ float warp_max(float value) {
  for (int step = warp / 2; step > 0; step /= 2) value = fmaxf(value, __shfl_xor_sync(everyone, value, step));
  return value;
}

/// Adds up what the warps' first lanes have, and stores both sums as the block's.
template <int warps>
__device__ void store_sums(float first, float second, float* of_blocks) {
  __shared__ float parts[2][warps];
  if (lane() == 0) {
    parts[0][threadIdx.x / warp] = first;
    parts[1][threadIdx.x / warp] = second;
  }
  __syncthreads();
  if (threadIdx.x > 1) return;
  float sum = 0;
  for (int w = 0; w < warps; ++w) sum += parts[threadIdx.x][w];
  of_blocks[2 * blockIdx.x + threadIdx.x] = sum;
}

/// The last graph that begins at or before node n; the number of graphs behind the last node. begin [graphs +
/// 1].
template <class Number>
__device__ Number graph_of(const std::int64_t* begin, Number graphs, std::int64_t n) {
  Number low = 0, high = graphs;
  while (low < high) {
    const auto middle = (low + high) / 2;
    if (n >= begin[middle + 1])
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

inline unsigned blocks_for(std::int64_t items, int each) {
  return static_cast<unsigned>((items + each - 1) / each);
}

}  // namespace workloads::stgym
