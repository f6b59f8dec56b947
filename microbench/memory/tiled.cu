#include "microbench/memory/memory_kernels.hpp"

namespace microbench {
namespace {

constexpr unsigned side = 32;  // of a tile
constexpr unsigned rows = 8;   // of threads, where each of them takes side / rows elements

__global__ void transpose(float* out, const float* in, unsigned n) {
  const unsigned column = blockIdx.x * side + threadIdx.x;
  for (unsigned r = threadIdx.y; r < side; r += rows) {
    const unsigned row = blockIdx.y * side + r;
    out[std::size_t{column} * n + row] = in[std::size_t{row} * n + column];
  }
}

/// Reads and writes along rows; the turn happens in shared memory.
__global__ void transpose_tiled(float* out, const float* in, unsigned n) {
  __shared__ float tile[side][side + 1];  // one more, or a column would lie in one bank
  const unsigned column = blockIdx.x * side + threadIdx.x;
  for (unsigned r = threadIdx.y; r < side; r += rows)
    tile[r][threadIdx.x] = in[std::size_t{blockIdx.y * side + r} * n + column];
  __syncthreads();
  const unsigned turned = blockIdx.y * side + threadIdx.x;
  for (unsigned r = threadIdx.y; r < side; r += rows)
    out[std::size_t{blockIdx.x * side + r} * n + turned] = tile[threadIdx.x][r];
}

__global__ void product(float* out, const float* a, const float* b, unsigned n) {
  const std::size_t row = blockIdx.y * side + threadIdx.y;
  const std::size_t column = blockIdx.x * side + threadIdx.x;
  float sum = 0;
  for (unsigned k = 0; k < n; ++k) sum = __fmaf_rn(a[row * n + k], b[std::size_t{k} * n + column], sum);
  out[row * n + column] = sum;
}

__global__ void product_tiled(float* out, const float* a, const float* b, unsigned n) {
  __shared__ float of_a[side][side];
  __shared__ float of_b[side][side];
  const std::size_t row = blockIdx.y * side + threadIdx.y;
  const std::size_t column = blockIdx.x * side + threadIdx.x;
  float sum = 0;
  for (unsigned first = 0; first < n; first += side) {
    of_a[threadIdx.y][threadIdx.x] = a[row * n + first + threadIdx.x];
    of_b[threadIdx.y][threadIdx.x] = b[std::size_t{first + threadIdx.y} * n + column];
    __syncthreads();
    for (unsigned k = 0; k < side; ++k) sum = __fmaf_rn(of_a[threadIdx.y][k], of_b[k][threadIdx.x], sum);
    __syncthreads();
  }
  out[row * n + column] = sum;
}

}  // namespace

cudaError_t queue_transpose(float* out, const float* in, unsigned n, Tile tile, cudaStream_t stream) {
  const dim3 blocks(n / side, n / side);
  const dim3 threads(side, rows);
  if (tile == Tile::shared)
    transpose_tiled<<<blocks, threads, 0, stream>>>(out, in, n);
  else
    transpose<<<blocks, threads, 0, stream>>>(out, in, n);
  return cudaGetLastError();
}

cudaError_t queue_product(float* out, const float* a, const float* b, unsigned n, Tile tile,
                          cudaStream_t stream) {
  const dim3 blocks(n / side, n / side);
  const dim3 threads(side, side);
  if (tile == Tile::shared)
    product_tiled<<<blocks, threads, 0, stream>>>(out, a, b, n);
  else
    product<<<blocks, threads, 0, stream>>>(out, a, b, n);
  return cudaGetLastError();
}

}  // namespace microbench
