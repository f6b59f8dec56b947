#include "harness/cuda/launch_work.hpp"

#include "microbench/memory/memory_kernels.hpp"

#include <algorithm>

namespace microbench {
namespace {

__global__ void strided_copy(float* out, const float* in, std::size_t n, std::size_t stride,
                             std::size_t offset) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[offset + i * stride];
}

__global__ void spread(float* out, const float* in, std::size_t n, std::size_t stride, std::size_t offset) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[offset + i * stride] = in[i];
}

__global__ void hot_sums(float* values, std::size_t n, const float* hot, std::size_t hot_values) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) values[i] += hot[i % hot_values];
}

constexpr unsigned threads = 256;

unsigned blocks_for(std::size_t n) { return static_cast<unsigned>((n + threads - 1) / threads); }

/// n floats in a row on one side, and on the other one in every `stride`: memory moves 32 bytes at a time.
void say_strided(std::size_t n, std::size_t stride) {
  constexpr std::size_t sector = 32 / sizeof(float);
  const auto moved = n + n * std::min(stride, sector);
  harness::next_launch_does(static_cast<double>(sizeof(float) * moved));
}

}  // namespace

cudaError_t queue_strided_copy(float* out, const float* in, std::size_t n, std::size_t stride,
                               std::size_t offset, cudaStream_t stream) {
  say_strided(n, stride);
  strided_copy<<<blocks_for(n), threads, 0, stream>>>(out, in, n, stride, offset);
  return cudaGetLastError();
}

cudaError_t queue_spread(float* out, const float* in, std::size_t n, std::size_t stride, std::size_t offset,
                         cudaStream_t stream) {
  say_strided(n, stride);
  spread<<<blocks_for(n), threads, 0, stream>>>(out, in, n, stride, offset);
  return cudaGetLastError();
}

cudaError_t queue_hot_sums(float* stream_values, std::size_t n, const float* hot, std::size_t hot_values,
                           int passes, cudaStream_t stream) {
  for (int pass = 0; pass < passes; ++pass)
    hot_sums<<<blocks_for(n), threads, 0, stream>>>(stream_values, n, hot, hot_values);
  return cudaGetLastError();
}

}  // namespace microbench
