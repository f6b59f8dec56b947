#include "microbench/memory/memory_kernels.hpp"

namespace microbench {
namespace {

__constant__ float constant_table[table_size];

/// The entry for read r of a lane: the same in the whole warp, or `spread` apart.
__device__ unsigned entry(int r, unsigned lane, unsigned spread) {
  return (static_cast<unsigned>(r) + lane * spread) % table_size;
}

__global__ void lookups_constant(float* out, std::size_t n, int reads, unsigned spread) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned lane = threadIdx.x % 32U;
  float sum = 0;
  for (int r = 0; r < reads; ++r) sum += constant_table[entry(r, lane, spread)];
  out[i] = sum;
}

__global__ void lookups_global(float* out, std::size_t n, int reads, unsigned spread, const float* table) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned lane = threadIdx.x % 32U;
  float sum = 0;
  for (int r = 0; r < reads; ++r) sum += table[entry(r, lane, spread)];
  out[i] = sum;
}

}  // namespace

cudaError_t queue_table_upload(const float* table_on_host, cudaStream_t stream) {
  return cudaMemcpyToSymbolAsync(constant_table, table_on_host, sizeof constant_table, 0,
                                 cudaMemcpyHostToDevice, stream);
}

cudaError_t queue_lookups(float* out, std::size_t n, int reads, unsigned spread, const float* table,
                          cudaStream_t stream) {
  constexpr unsigned threads = 256;
  const auto blocks = static_cast<unsigned>((n + threads - 1) / threads);
  if (table == nullptr)
    lookups_constant<<<blocks, threads, 0, stream>>>(out, n, reads, spread);
  else
    lookups_global<<<blocks, threads, 0, stream>>>(out, n, reads, spread, table);
  return cudaGetLastError();
}

}  // namespace microbench
