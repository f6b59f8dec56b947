// The kernels on a device. A warp takes a node: lane i has cluster i, so that a softmax needs no memory.
#include "harness/cuda/check.hpp"
#include "harness/cuda/launch_work.hpp"

#include "workloads/stgym/model/pool_fused_kernels.hpp"
#include "workloads/stgym/model/warp.cuh"

namespace workloads::stgym {
namespace {

constexpr int warps = 4;
constexpr int threads = warp * warps;  // of the forward pass: one for each of so many columns of h
constexpr int tile = 32;               // nodes whose S lies in shared memory
constexpr int nodes_each = tile / warps;
constexpr int columns_each = static_cast<int>(most_device_features) / warp;

__device__ float softmax(float logit, bool used) {
  const float most = warp_max(used ? logit : -INFINITY);
  const float value = used ? expf(logit - most) : 0;
  return value / warp_sum(value);
}

/// By a softmax's input, from the gradient by its output.
__device__ float softmax_backward(float out, float gradient) {
  return out * (gradient - warp_sum(out * gradient));
}

/// S of the tile's nodes into shared memory and, by the first blocks along z, to its place and into S'S, of
/// which a lane has a column.
__device__ void assign(const PoolForward<float>& a, std::int64_t first, int count,
                       float (&s)[tile][most_clusters], float (&ss)[most_clusters]) {
  const auto k = static_cast<int>(a.size.clusters);
  const int first_node = own_warp();
  float logits[nodes_each];  // all of them on their way before the first is used
#pragma unroll
  for (int j = 0; j < nodes_each; ++j) {
    const int i = first_node + j * warps;
    logits[j] = lane() < k && i < count ? a.logits[(first + i) * k + lane()] : 0;
  }
#pragma unroll
  for (int j = 0; j < nodes_each; ++j) {
    const int i = first_node + j * warps;
    const auto n = first + i;
    const bool used = lane() < k && i < count;
    float value = softmax(logits[j], lane() < k);
    if (a.size.softmaxes == 2) value = softmax(value, lane() < k);
    value = used ? value : 0;
    s[i][lane()] = value;
    if (blockIdx.z != 0) continue;
    const float square = warp_sum(value * value);
#pragma unroll
    for (int c = 0; c < most_clusters; ++c)
      if (c < k) ss[c] += __shfl_sync(everyone, value, c) * value;
    if (used) a.s[n * k + lane()] = value;
    if (used && lane() == 0) a.weighted[n] = a.degree[n] * square;
  }
}

/// Adds up the warps' S'S in shared memory.
__device__ void add_warps(const float (&ss)[most_clusters], float (&sum)[tile][most_clusters]) {
  for (int w = 0; w < warps; ++w) {
#pragma unroll
    for (int c = 0; c < most_clusters; ++c)
      if (own_warp() == w) sum[c][lane()] = ss[c] + (w > 0 ? sum[c][lane()] : 0);
    __syncthreads();
  }
}

/// A block sums up a part of one graph's nodes: blocks (part, graph, columns of h); the graph behind the last
/// one is the padding. A thread holds a column of S'h.
__global__ void __launch_bounds__(threads) forward(PoolForward<float> a) {
  __shared__ float s[tile][most_clusters];
  const auto k = static_cast<int>(a.size.clusters);
  const auto width = a.size.features;
  const auto graph = static_cast<std::int64_t>(blockIdx.y);
  const bool padding = graph == a.size.graphs;
  const auto begin = a.offsets[graph];
  const auto end = padding ? a.size.nodes : a.offsets[graph + 1];
  const auto column = static_cast<std::int64_t>(blockIdx.z) * threads + threadIdx.x;
  float of_column[most_clusters] = {};
  float ss[most_clusters] = {};
  for (auto n = begin + static_cast<std::int64_t>(blockIdx.x) * tile; n < end;
       n += static_cast<std::int64_t>(gridDim.x) * tile) {
    const int count = static_cast<int>(min(static_cast<long long>(tile), static_cast<long long>(end - n)));
    assign(a, n, count, s, ss);
    __syncthreads();
    for (int i = 0; i < count && width > 0 && !padding; ++i) {
      const float value = column < width ? a.h[(n + i) * width + column] : 0;
#pragma unroll
      for (int c = 0; c < most_clusters; ++c) of_column[c] += s[i][c] * value;
    }
    __syncthreads();
  }
  if (padding) return;
  const auto stride = k + width;
  float* sums = a.sums + (blockIdx.x * a.size.graphs + graph) * k * stride;
#pragma unroll
  for (int c = 0; c < most_clusters; ++c)
    if (c < k && column < width) sums[c * stride + k + column] = of_column[c];
  if (blockIdx.z != 0) return;
  add_warps(ss, s);
  for (int pair = static_cast<int>(threadIdx.x); pair < k * k; pair += threads)
    sums[pair / k * stride + pair % k] = s[pair / k][pair % k];
}

/// What S'S passes on to a node.
__device__ float from_ss(const PoolBackward<float>& a, std::int64_t graph, float s) {
  const auto k = static_cast<int>(a.size.clusters);
  const float* of_ss = a.of_ss + graph * k * k;
  float mine = 0;
  for (int i = 0; i < k; ++i) {
    const float s_i = __shfl_sync(everyone, s, i);
    if (lane() < k) mine += s_i * of_ss[i * k + lane()];
  }
  return mine;
}

/// What S'h passes on to a node: writes the gradient by h and gives back the one by S.
__device__ float from_sh(const PoolBackward<float>& a, std::int64_t graph, std::int64_t n, float s) {
  const auto k = static_cast<int>(a.size.clusters);
  const auto width = static_cast<int>(a.size.features);
  const float* of_sh = a.of_sh + graph * k * width;
  float h[columns_each], of_h[columns_each] = {};
#pragma unroll
  for (int c = 0; c < columns_each; ++c)
    h[c] = lane() + c * warp < width ? a.h[n * width + lane() + c * warp] : 0;
  float mine = 0;
  for (int i = 0; i < k; ++i) {
    const float s_i = __shfl_sync(everyone, s, i);
    float dot = 0;
#pragma unroll
    for (int c = 0; c < columns_each; ++c) {
      const int column = lane() + c * warp;
      const float factor = column < width ? of_sh[i * width + column] : 0;
      dot += h[c] * factor;
      of_h[c] += s_i * factor;
    }
    dot = warp_sum(dot);
    if (lane() == i) mine += dot;
  }
#pragma unroll
  for (int c = 0; c < columns_each; ++c)
    if (lane() + c * warp < width) a.of_h[n * width + lane() + c * warp] = of_h[c];
  return mine;
}

__global__ void __launch_bounds__(threads) backward(PoolBackward<float> a) {
  const auto n = static_cast<std::int64_t>(blockIdx.x) * warps + own_warp();
  if (n >= a.size.nodes) return;  // a whole warp
  const auto k = a.size.clusters;
  const bool used = lane() < k;
  const auto place = n * k + lane();
  const float s = used ? a.s[place] : 0;
  const float of_inside = used ? *a.of_inside * a.neighbours[place] : 0;
  float gradient = (used ? a.of_s[place] : 0) + of_inside + 2 * *a.of_weighted * a.degree[n] * s;
  const auto graph = graph_of(a.offsets, a.size.graphs, n);
  if (graph < a.size.graphs) {
    gradient += from_ss(a, graph, s);
    if (a.size.features > 0) gradient += from_sh(a, graph, n, s);
  } else {
    for (auto j = static_cast<std::int64_t>(lane()); j < a.size.features; j += warp)
      a.of_h[n * a.size.features + j] = 0;
  }
  gradient = softmax_backward(s, gradient);
  if (a.size.softmaxes == 2) gradient = softmax_backward(softmax(used ? a.logits[place] : 0, used), gradient);
  if (used) a.of_logits[place] = gradient;
}

/// Of each node so many numbers are read or written, and so many more in all; each of its features meets each
/// cluster so often.
void say_pool(const PoolSizes& size, double of_node, double more, double products) {
  const auto nodes = static_cast<double>(size.nodes);
  const auto clusters = static_cast<double>(size.clusters);
  const auto features = static_cast<double>(size.features);
  harness::next_launch_does(sizeof(float) * (nodes * of_node + more),
                            nodes * clusters * (products * features + clusters));
}

void say_pool_forward(const PoolSizes& size, int parts) {
  const auto clusters = static_cast<double>(size.clusters);
  const auto features = static_cast<double>(size.features);
  say_pool(size, 2 * clusters + features + 2,
           parts * static_cast<double>(size.graphs) * clusters * (clusters + features), 1);
}

void say_pool_backward(const PoolSizes& size) {
  const auto clusters = static_cast<double>(size.clusters);
  say_pool(size, 5 * clusters + 2 * static_cast<double>(size.features) + 1, 0, 2);
}

}  // namespace

void launch_pool_forward(const PoolForward<float>& args, int parts, cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>(parts), static_cast<unsigned>(args.size.graphs + 1),
                  blocks_for(args.size.features > 0 ? args.size.features : 1, threads));
  say_pool_forward(args.size, parts);
  forward<<<grid, threads, 0, stream>>>(args);
  harness::check(cudaGetLastError());
}

void launch_pool_backward(const PoolBackward<float>& args, cudaStream_t stream) {
  if (args.size.nodes == 0) return;
  say_pool_backward(args.size);
  backward<<<blocks_for(args.size.nodes, warps), threads, 0, stream>>>(args);
  harness::check(cudaGetLastError());
}

}  // namespace workloads::stgym
