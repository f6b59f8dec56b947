// A block makes 128 x 128 numbers of the result; each of its threads holds 8 x 8 of them in registers. Both
// factors pass through shared memory, 16 steps of the sum at a time, while the next 16 are on their way.
#include "harness/cuda/check.hpp"
#include "harness/cuda/launch_work.hpp"

#include "workloads/stgym/model/neighbour_sum_kernels.hpp"

namespace workloads::stgym {
namespace {

constexpr int tile = 128;
constexpr int depth = 16;
constexpr int threads = 256;
// Two blocks fit a multiprocessor if a thread has no more registers than blocks of 512 leave it.
constexpr int resident = 2 * threads;
constexpr int each = 8;    // rows and columns of a thread
constexpr int vector = 4;  // numbers of one load
constexpr int half = tile / 2;
constexpr int loads = tile * depth / vector / threads;
constexpr int stride = tile + vector;  // so that a column's numbers lie in different banks

/// One factor's part of the sum, the sum's steps first.
using Panel = float[depth][stride];

struct Loaded {
  float4 value[loads];
};

__device__ float4 load(const float* from, bool there) {
  return there ? *reinterpret_cast<const float4*>(from) : float4{0, 0, 0, 0};
}

__device__ const float* row_of(const PickedRows& picked, std::int64_t n, std::int64_t end) {
  const std::int64_t row = n < end ? picked.rows[n] : -1;
  return row < 0 ? nullptr : picked.x + row * picked.width;
}

/// Rows of a factor whose sum runs along the row: thread t has row t / 4 of the first half and of the second.
__device__ Loaded along(const float* const (&row)[loads], std::int64_t first, std::int64_t width) {
  Loaded out;
  const auto at = first + static_cast<int>(threadIdx.x) % (depth / vector) * vector;
#pragma unroll
  for (int i = 0; i < loads; ++i) out.value[i] = load(row[i] + at, row[i] != nullptr && at < width);
  return out;
}

__device__ void put_transposed(Panel& panel, const Loaded& from) {
  const int k = static_cast<int>(threadIdx.x) % (depth / vector) * vector;
  const int row = static_cast<int>(threadIdx.x) / (depth / vector);
#pragma unroll
  for (int i = 0; i < loads; ++i) {
    panel[k][row + i * half] = from.value[i].x;
    panel[k + 1][row + i * half] = from.value[i].y;
    panel[k + 2][row + i * half] = from.value[i].z;
    panel[k + 3][row + i * half] = from.value[i].w;
  }
}

/// Step of the sum and column that a thread loads where the sum runs down the rows.
__device__ int step_of(int i) { return static_cast<int>(threadIdx.x) / (tile / vector) + i * depth / loads; }
__device__ int column_of() { return static_cast<int>(threadIdx.x) % (tile / vector) * vector; }

__device__ void put(Panel& panel, const Loaded& from) {
#pragma unroll
  for (int i = 0; i < loads; ++i) *reinterpret_cast<float4*>(&panel[step_of(i)][column_of()]) = from.value[i];
}

/// A thread's 8 numbers of one step: 4 in each half, so that neighbours read neighbouring numbers.
__device__ void read(const float (&line)[stride], int lane, float (&out)[each]) {
  const float4 low = *reinterpret_cast<const float4*>(&line[lane * vector]);
  const float4 high = *reinterpret_cast<const float4*>(&line[half + lane * vector]);
  out[0] = low.x, out[1] = low.y, out[2] = low.z, out[3] = low.w;
  out[4] = high.x, out[5] = high.y, out[6] = high.z, out[7] = high.w;
}

__device__ void multiply(const Panel& a, const Panel& b, float (&sum)[each][each]) {
#pragma unroll
  for (int k = 0; k < depth; ++k) {
    float rows[each];
    float columns[each];
    read(a[k], static_cast<int>(threadIdx.x) / (tile / each), rows);
    read(b[k], static_cast<int>(threadIdx.x) % (tile / each), columns);
#pragma unroll
    for (int i = 0; i < each; ++i)
#pragma unroll
      for (int j = 0; j < each; ++j) sum[i][j] += rows[i] * columns[j];
  }
}

/// Writes a thread's numbers into the tile of `out` [height, width] that begins at (top, left).
__device__ void store(const float (&sum)[each][each], float* out, longlong2 size, longlong2 corner) {
  const int row = static_cast<int>(threadIdx.x) / (tile / each) * vector;
  const int column = static_cast<int>(threadIdx.x) % (tile / each) * vector;
#pragma unroll
  for (int i = 0; i < each; ++i) {
    const auto y = corner.x + row + i % vector + i / vector * half;
#pragma unroll
    for (int j = 0; j < each; j += vector) {
      const auto x = corner.y + column + j / vector * half;
      if (y < size.x && x < size.y)
        *reinterpret_cast<float4*>(out + y * size.y + x) =
            float4{sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]};
    }
  }
}

__global__ void __launch_bounds__(resident) gathered_product(GatheredProduct g) {
  alignas(16) __shared__ Panel a[2];
  alignas(16) __shared__ Panel b[2];
  const auto top = static_cast<std::int64_t>(blockIdx.x) * tile;
  const auto left = static_cast<std::int64_t>(blockIdx.y) * tile;
  const float* x[loads];
  const float* w[loads];
#pragma unroll
  for (int i = 0; i < loads; ++i) {
    const int row = static_cast<int>(threadIdx.x) / (depth / vector) + i * half;
    x[i] = row_of(g.picked, top + row, g.picked.count);
    w[i] = left + row < g.outputs ? g.weight + (left + row) * g.picked.width : nullptr;
  }
  float sum[each][each] = {};
  put_transposed(a[0], along(x, 0, g.picked.width));
  put_transposed(b[0], along(w, 0, g.picked.width));
  __syncthreads();
  int now = 0;
  for (std::int64_t k = depth; k < g.picked.width; k += depth, now ^= 1) {
    const auto next_a = along(x, k, g.picked.width);
    const auto next_b = along(w, k, g.picked.width);
    multiply(a[now], b[now], sum);
    put_transposed(a[now ^ 1], next_a);
    put_transposed(b[now ^ 1], next_b);
    __syncthreads();
  }
  multiply(a[now], b[now], sum);
  store(sum, g.out, {g.picked.count, g.outputs}, {top, left});
}

__global__ void __launch_bounds__(resident) gathered_gradient(GatheredGradient g) {
  alignas(16) __shared__ Panel a[2];
  alignas(16) __shared__ Panel b[2];
  const auto top = static_cast<std::int64_t>(blockIdx.y) * tile;
  const auto left = static_cast<std::int64_t>(blockIdx.x) * tile;
  const auto part = static_cast<std::int64_t>(blockIdx.z);
  const auto begin = g.picked.count * part / g.parts;
  const auto end = g.picked.count * (part + 1) / g.parts;
  const auto fetch = [&](std::int64_t first, Loaded& of_gradient, Loaded& of_x) {
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      const auto n = first + step_of(i);
      const auto* row = row_of(g.picked, n, end);
      of_gradient.value[i] = load(g.gradient + n * g.outputs + top + column_of(),
                                  row != nullptr && top + column_of() < g.outputs);
      of_x.value[i] = load(row + left + column_of(), row != nullptr && left + column_of() < g.picked.width);
    }
  };
  float sum[each][each] = {};
  Loaded of_gradient, of_x;
  fetch(begin, of_gradient, of_x);
  put(a[0], of_gradient);
  put(b[0], of_x);
  __syncthreads();
  int now = 0;
  for (auto n = begin + depth; n < end; n += depth, now ^= 1) {
    fetch(n, of_gradient, of_x);
    multiply(a[now], b[now], sum);
    put(a[now ^ 1], of_gradient);
    put(b[now ^ 1], of_x);
    __syncthreads();
  }
  multiply(a[now], b[now], sum);
  store(sum, g.partial + part * g.outputs * g.picked.width, {g.outputs, g.picked.width}, {top, left});
}

unsigned tiles_of(std::int64_t length) { return static_cast<unsigned>((length + tile - 1) / tile); }

/// N x F numbers of the data set, N x H and H x F others: each read or written so often.
void say_product(const PickedRows& picked, std::int64_t outputs, double x, double of_rows, double weights) {
  const auto rows = static_cast<double>(picked.count), width = static_cast<double>(picked.width);
  const auto out = static_cast<double>(outputs);
  const auto numbers = x * rows * width + of_rows * rows * out + weights * width * out;
  harness::next_launch_does(sizeof(float) * numbers + sizeof(std::int64_t) * rows, rows * width * out);
}

}  // namespace

void launch_gathered_product(const GatheredProduct& args, cudaStream_t stream) {
  if (args.picked.count == 0) return;
  const dim3 grid(tiles_of(args.picked.count), tiles_of(args.outputs));
  say_product(args.picked, args.outputs, grid.y, 1, 1);
  gathered_product<<<grid, threads, 0, stream>>>(args);
  harness::check(cudaGetLastError());
}

void launch_gathered_gradient(const GatheredGradient& args, cudaStream_t stream) {
  const dim3 grid(tiles_of(args.picked.width), tiles_of(args.outputs), static_cast<unsigned>(args.parts));
  say_product(args.picked, args.outputs, grid.y, grid.x, args.parts);
  gathered_gradient<<<grid, threads, 0, stream>>>(args);
  harness::check(cudaGetLastError());
}

}  // namespace workloads::stgym
