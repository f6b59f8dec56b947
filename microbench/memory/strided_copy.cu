#include "microbench/memory/kernels.hpp"

namespace microbench {
namespace {

__global__ void strided_copy(float* out, const float* in, std::size_t n, std::size_t stride,
                             std::size_t offset) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[offset + i * stride];
}

}  // namespace

cudaError_t queue_strided_copy(float* out, const float* in, std::size_t n, std::size_t stride,
                               std::size_t offset, cudaStream_t stream) {
  constexpr unsigned threads = 256;
  const auto blocks = static_cast<unsigned>((n + threads - 1) / threads);
  strided_copy<<<blocks, threads, 0, stream>>>(out, in, n, stride, offset);
  return cudaGetLastError();
}

}  // namespace microbench
