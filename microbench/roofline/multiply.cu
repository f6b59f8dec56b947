#include "harness/cuda/launch_work.hpp"

#include "microbench/roofline/multiply.hpp"

namespace microbench {
namespace {

__global__ void multiply_kernel(const float* in, float* out, std::size_t n, float factor, int repeat) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float y = in[i];
  // Unrolled, so that counting does not cost as much as multiplying.
#pragma unroll 16
  for (int r = 0; r < repeat; ++r) y = __fmul_rn(y, factor);
  out[i] = y;
}

}  // namespace

cudaError_t queue_multiply(const float* in, float* out, std::size_t n, float factor, int repeat,
                           cudaStream_t stream) {
  constexpr unsigned threads = 256;
  const auto blocks = static_cast<unsigned>((n + threads - 1) / threads);
  const auto values = static_cast<double>(n);
  harness::next_launch_does(2 * sizeof(float) * values, values * repeat);
  multiply_kernel<<<blocks, threads, 0, stream>>>(in, out, n, factor, repeat);
  return cudaGetLastError();
}

}  // namespace microbench
