#include "microbench/overlap/sm_copy.hpp"

namespace microbench {
namespace {

__global__ void sm_copy(uint4* to, const uint4* from, std::size_t n) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t i = first; i < n; i += stride) to[i] = from[i];
}

}  // namespace

cudaError_t queue_sm_copy(std::byte* to, const std::byte* from, std::size_t bytes, unsigned blocks,
                          cudaStream_t stream) {
  constexpr unsigned threads = 512;
  sm_copy<<<blocks, threads, 0, stream>>>(reinterpret_cast<uint4*>(to), reinterpret_cast<const uint4*>(from),
                                          bytes / sizeof(uint4));
  return cudaGetLastError();
}

}  // namespace microbench
