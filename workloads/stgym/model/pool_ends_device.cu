// A warp takes a graph's S'S. There are few numbers: one block makes both losses.
#include "harness/cuda/check.hpp"
#include "harness/cuda/launch_work.hpp"

#include "workloads/stgym/model/pool_fused_kernels.hpp"
#include "workloads/stgym/model/warp.cuh"

namespace workloads::stgym {
namespace {

constexpr int warps = 16;
constexpr int threads = warp * warps;

/// Of M = S'S: its length, the distance of M / |M| from I / sqrt(K), and the inner product of the two's
/// difference with M / |M|.
struct Ortho {
  float length, distance, inner;
};

/// 1 / sqrt(K) on the diagonal.
__device__ float uniform(int i, int clusters) {
  return i / clusters == i % clusters ? 1 / sqrtf(static_cast<float>(clusters)) : 0;
}

__device__ Ortho ortho_of(const float* ss, int clusters) {
  float squares = 0;
  for (int i = lane(); i < clusters * clusters; i += warp) squares += ss[i] * ss[i];
  const float length = sqrtf(warp_sum(squares));
  float distance = 0;
  float inner = 0;
  for (int i = lane(); i < clusters * clusters; i += warp) {
    const float scaled = ss[i] / length;
    const float difference = scaled - uniform(i, clusters);
    distance += difference * difference;
    inner += difference * scaled;
  }
  return {length, sqrtf(warp_sum(distance)), warp_sum(inner)};
}

/// Adds up what each warp has found; all threads get it.
__device__ float block_sum(float of_warp) {
  __shared__ float found[warps];
  __syncthreads();
  if (lane() == 0) found[own_warp()] = of_warp;
  __syncthreads();
  float sum = 0;
  for (int w = 0; w < warps; ++w) sum += found[w];
  return sum;
}

__global__ void __launch_bounds__(threads) pool_ends(PoolEnds a) {
  const int clusters = static_cast<int>(a.clusters);
  float distances = 0;
  for (auto b = static_cast<std::int64_t>(own_warp()); b < a.graphs; b += warps)
    distances += ortho_of(a.ss + b * clusters * clusters, clusters).distance;
  distances = block_sum(distances);
  float inside = 0;
  float ends = 0;
  for (int p = static_cast<int>(threadIdx.x); p < a.parts; p += threads) {
    inside += a.traces[2 * p];
    ends += a.traces[2 * p + 1];
  }
  inside = block_sum(warp_sum(inside));
  ends = block_sum(warp_sum(ends));
  if (threadIdx.x != 0) return;
  a.sums[0] = inside;
  a.sums[1] = ends;
  a.losses[0] = -(inside / ends);
  a.losses[1] = distances / static_cast<float>(a.graphs);
}

/// A block, one warp, for each graph.
__global__ void __launch_bounds__(warp) pool_ends_backward(PoolEndsBackward a) {
  const int clusters = static_cast<int>(a.clusters);
  const auto first = static_cast<std::int64_t>(blockIdx.x) * clusters * clusters;
  const float* ss = a.ss + first;
  const auto ortho = ortho_of(ss, clusters);
  // By the distance of 0, where there is no slope, as LibTorch has it: nothing.
  const float by_distance =
      ortho.distance > 0 ? *a.of_ortho / static_cast<float>(a.graphs) / ortho.distance : 0;
  for (int i = lane(); i < clusters * clusters; i += warp) {
    const float scaled = ss[i] / ortho.length;
    const float by_scaled = scaled - uniform(i, clusters) - scaled * ortho.inner;
    a.of_ss[first + i] = 2 * by_distance * by_scaled / ortho.length;  // S'S is symmetric, and so is this
  }
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  const float inside = a.sums[0];
  const float ends = a.sums[1];
  a.of_traces[0] = -*a.of_mincut / ends;
  a.of_traces[1] = *a.of_mincut * inside / (ends * ends);
}

/// Of a matrix of clusters for each graph, so often, and so many numbers more.
void say_matrices(std::int64_t graphs, std::int64_t clusters, double times, double more) {
  const auto numbers = static_cast<double>(graphs * clusters * clusters);
  harness::next_launch_does(sizeof(float) * (times * numbers + more), numbers);
}

}  // namespace

void launch_pool_ends(const PoolEnds& args, cudaStream_t stream) {
  say_matrices(args.graphs, args.clusters, 1, 2.0 * args.parts);
  pool_ends<<<1, threads, 0, stream>>>(args);
  harness::check(cudaGetLastError());
}

void launch_pool_ends_backward(const PoolEndsBackward& args, cudaStream_t stream) {
  say_matrices(args.graphs, args.clusters, 2, 0);
  pool_ends_backward<<<static_cast<unsigned>(args.graphs), warp, 0, stream>>>(args);
  harness::check(cudaGetLastError());
}

}  // namespace workloads::stgym
