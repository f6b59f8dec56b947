#include "harness/cuda/launch_work.hpp"

#include "microbench/short_kernels.hpp"

namespace microbench {
namespace {

constexpr unsigned threads = 256;

unsigned blocks_for(std::size_t n) { return static_cast<unsigned>((n + threads - 1) / threads); }

/// So many arrays of n floats are read or written, and each place does one operation.
void say_arrays(int arrays, std::size_t n) {
  const auto values = static_cast<double>(n);
  harness::next_launch_does(sizeof(float) * values * arrays, values);
}

__device__ std::size_t own_index() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }

__global__ void increment(float* values, std::size_t n) {
  const std::size_t i = own_index();
  if (i < n) values[i] += 1.0F;
}

__global__ void add(float* out, const float* a, const float* b, std::size_t n) {
  const std::size_t i = own_index();
  if (i < n) out[i] = a[i] + b[i];
}

__global__ void scale(float* out, const float* in, float factor, std::size_t n) {
  const std::size_t i = own_index();
  if (i < n) out[i] = factor * in[i];
}

__global__ void scale_by(float* out, const float* in, const float* factor, std::size_t n) {
  const std::size_t i = own_index();
  if (i < n) out[i] = *factor * in[i];
}

__global__ void masked_sums(float* sums, const float* values, const int* count, std::size_t n) {
  __shared__ float part[threads];
  const auto valid = static_cast<std::size_t>(*count);
  float sum = 0;
  for (std::size_t i = own_index(); i < n; i += std::size_t{gridDim.x} * blockDim.x) {
    const float value = values[i];  // read first: the mask saves no memory traffic
    sum += i < valid ? value : 0.0F;
  }
  part[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

}  // namespace

cudaError_t queue_increment(float* values, std::size_t n, cudaStream_t stream) {
  say_arrays(2, n);
  increment<<<blocks_for(n), threads, 0, stream>>>(values, n);
  return cudaGetLastError();
}

cudaError_t queue_add(float* out, const float* a, const float* b, std::size_t n, cudaStream_t stream) {
  say_arrays(3, n);
  add<<<blocks_for(n), threads, 0, stream>>>(out, a, b, n);
  return cudaGetLastError();
}

cudaError_t queue_scale(float* out, const float* in, float factor, std::size_t n, cudaStream_t stream) {
  say_arrays(2, n);
  scale<<<blocks_for(n), threads, 0, stream>>>(out, in, factor, n);
  return cudaGetLastError();
}

cudaError_t queue_scale_by(float* out, const float* in, const float* factor, std::size_t n,
                           cudaStream_t stream) {
  say_arrays(2, n);
  scale_by<<<blocks_for(n), threads, 0, stream>>>(out, in, factor, n);
  return cudaGetLastError();
}

cudaError_t queue_masked_sums(float* sums, const float* values, const int* count, std::size_t n,
                              cudaStream_t stream) {
  say_arrays(1, n);
  masked_sums<<<partial_sums, threads, 0, stream>>>(sums, values, count, n);
  return cudaGetLastError();
}

}  // namespace microbench
