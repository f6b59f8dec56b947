#include "harness/cuda/launch_work.hpp"

#include "microbench/launch/fused_kernels.hpp"

namespace microbench {
namespace {

constexpr unsigned threads = 256;

unsigned blocks_for(std::size_t n) { return static_cast<unsigned>((n + threads - 1) / threads); }

__global__ void cos_cos(float* out, const float* in, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = cosf(cosf(in[i]));
}

/// One thread for each value of `out`; rows of a plane and planes follow each other without a gap, so that a
/// row of `out` stands for two rows of `in` whatever plane it is in.
__global__ void relu_max_pool(float* out, const float* in, std::size_t out_values, std::size_t out_width) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= out_values) return;
  const std::size_t width = 2 * out_width;
  const float* upper = in + i / out_width * 2 * width + i % out_width * 2;
  const float* lower = upper + width;
  out[i] = fmaxf(0.0F, fmaxf(fmaxf(upper[0], upper[1]), fmaxf(lower[0], lower[1])));
}

}  // namespace

cudaError_t queue_cos_cos(float* out, const float* in, std::size_t n, cudaStream_t stream) {
  cos_cos<<<blocks_for(n), threads, 0, stream>>>(out, in, n);
  return cudaGetLastError();
}

cudaError_t queue_relu_max_pool(float* out, const float* in, const Planes& planes, cudaStream_t stream) {
  const std::size_t out_width = planes.width / 2;
  const std::size_t out_values = planes.count * (planes.height / 2) * out_width;
  constexpr double floats = 4 + 1;  // read and written for each value of `out`
  constexpr double operations = 4;
  const auto values = static_cast<double>(out_values);
  harness::next_launch_does(sizeof(float) * floats * values, operations * values);
  relu_max_pool<<<blocks_for(out_values), threads, 0, stream>>>(out, in, out_values, out_width);
  return cudaGetLastError();
}

}  // namespace microbench
