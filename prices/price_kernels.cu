#include "prices/price_kernels.hpp"

namespace prices {
namespace {

constexpr unsigned threads = 256;
constexpr unsigned most_blocks = 4096;  // several for each multiprocessor; a thread takes every so many items

unsigned blocks_for(std::size_t items) {
  const std::size_t blocks = (items + threads - 1) / threads;
  return static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks);
}

__device__ std::uint64_t nanoseconds() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

/// prices/pattern.hpp's, for the device.
__device__ std::uint32_t word_at(std::uint32_t index, std::uint32_t seed) {
  const std::uint32_t mixed = ((index + 1) * 2654435761U) ^ (seed * 2246822519U);
  return mixed ^ (mixed >> 15);
}

__global__ void gate(volatile GateFlags* flags, std::uint64_t limit_ns) {
  const std::uint64_t begin = nanoseconds();
  while (flags->open == 0) {
    if (nanoseconds() - begin > limit_ns) {
      flags->gave_up = 1;
      return;
    }
  }
}

__global__ void empty() {}

__global__ void triad(float4* a, const float4* b, const float4* c, float s, std::size_t n) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    const float4 x = b[i];
    const float4 y = c[i];
    a[i] = make_float4(x.x + s * y.x, x.y + s * y.y, x.z + s * y.z, x.w + s * y.w);
  }
}

__global__ void pattern(std::uint32_t* data, std::size_t words, std::uint32_t seed) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < words; i += stride)
    data[i] = word_at(static_cast<std::uint32_t>(i), seed);
}

__global__ void check_pattern(const std::uint32_t* data, std::size_t words, std::uint32_t seed,
                              std::uint32_t* wrong) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  std::uint32_t mine = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < words; i += stride)
    if (data[i] != word_at(static_cast<std::uint32_t>(i), seed)) ++mine;
  if (mine > 0) atomicAdd(wrong, mine);
}

}  // namespace

cudaError_t queue_gate(GateFlags* flags, std::uint64_t limit_ns, cudaStream_t stream) {
  gate<<<1, 1, 0, stream>>>(flags, limit_ns);
  return cudaGetLastError();
}

cudaError_t queue_empty(cudaStream_t stream) {
  empty<<<1, 1, 0, stream>>>();
  return cudaGetLastError();
}

cudaError_t queue_triad(float* a, const float* b, const float* c, float s, std::size_t n,
                        cudaStream_t stream) {
  const std::size_t quads = n / 4;
  triad<<<blocks_for(quads), threads, 0, stream>>>(reinterpret_cast<float4*>(a),
                                                   reinterpret_cast<const float4*>(b),
                                                   reinterpret_cast<const float4*>(c), s, quads);
  return cudaGetLastError();
}

cudaError_t queue_pattern(std::uint32_t* data, std::size_t words, std::uint32_t seed, cudaStream_t stream) {
  pattern<<<blocks_for(words), threads, 0, stream>>>(data, words, seed);
  return cudaGetLastError();
}

cudaError_t queue_check(const std::uint32_t* data, std::size_t words, std::uint32_t seed,
                        std::uint32_t* wrong, cudaStream_t stream) {
  check_pattern<<<blocks_for(words), threads, 0, stream>>>(data, words, seed, wrong);
  return cudaGetLastError();
}

}  // namespace prices
