// A warp takes a node; a lane has 4 of its numbers, and 4 more for each further 128.
#include "harness/cuda/check.hpp"
#include "harness/cuda/launch_work.hpp"

#include "workloads/stgym/model/neighbour_sum_kernels.hpp"
#include "workloads/stgym/model/warp.cuh"

namespace workloads::stgym {
namespace {

constexpr int warps = 8;
constexpr int threads = warp * warps;
constexpr int vector = 4;  // numbers of one load
constexpr int groups = static_cast<int>(most_summed_width) / (warp * vector);

struct Numbers {
  float at[vector];
};

__device__ Numbers load(const float* from) {
  const float4 value = *reinterpret_cast<const float4*>(from);
  return {{value.x, value.y, value.z, value.w}};
}
__device__ void store(float* to, const Numbers& value) {
  *reinterpret_cast<float4*>(to) = float4{value.at[0], value.at[1], value.at[2], value.at[3]};
}
__device__ void add(Numbers& sum, const Numbers& more, float factor) {
  for (int i = 0; i < vector; ++i) sum.at[i] += factor * more.at[i];
}

__device__ std::int64_t first_node() { return static_cast<std::int64_t>(blockIdx.x) * warps + own_warp(); }
__device__ std::int64_t all_warps() { return static_cast<std::int64_t>(gridDim.x) * warps; }

/// Calls `of(node, weight)` for each neighbour of node n, in the batch's numbers.
template <class Of>
__device__ void for_neighbours(const NeighbourRows& all, std::int64_t n, Of of) {
  if (all.begin == nullptr || all.rows[n] < 0) return;
  const auto row = all.rows[n];
  for (auto e = all.begin[row]; e < all.begin[row + 1]; ++e) of(n + all.end[e] - row, all.weight[e]);
}

__global__ void __launch_bounds__(threads) neighbour_sum(NeighbourSum a) {
  for (auto n = first_node(); n < a.nodes; n += all_warps())
    for (int c = lane() * vector; c < a.width; c += warp * vector) {
      auto sum = load(a.y + n * a.width + c);
      for_neighbours(a.neighbours, n, [&](std::int64_t other, float weight) {
        add(sum, load(a.y + other * a.width + c), weight);
      });
      add(sum, load(a.bias + c), 1);
      for (int i = 0; i < vector; ++i) sum.at[i] = fmaxf(sum.at[i], 0);
      store(a.out + n * a.width + c, sum);
    }
}

/// The gradient by what the ReLU was given.
__device__ Numbers before_relu(const NeighbourSumBackward& a, std::int64_t place) {
  auto gradient = load(a.gradient + place);
  const auto out = load(a.out + place);
  for (int i = 0; i < vector; ++i) gradient.at[i] = out.at[i] > 0 ? gradient.at[i] : 0;
  return gradient;
}

__global__ void __launch_bounds__(threads) neighbour_sum_backward(NeighbourSumBackward a) {
  __shared__ float of_bias[warps][most_summed_width];
  Numbers own[groups] = {};
  for (auto n = first_node(); n < a.nodes; n += all_warps()) {
#pragma unroll
    for (int g = 0; g < groups; ++g) {
      const int c = (g * warp + lane()) * vector;
      if (c >= a.width) continue;
      auto sum = before_relu(a, n * a.width + c);
      add(own[g], sum, 1);
      for_neighbours(a.neighbours, n, [&](std::int64_t other, float weight) {
        add(sum, before_relu(a, other * a.width + c), weight);
      });
      store(a.of_y + n * a.width + c, sum);
    }
  }
  for (int g = 0; g < groups; ++g)
    for (int i = 0; i < vector; ++i) of_bias[own_warp()][(g * warp + lane()) * vector + i] = own[g].at[i];
  __syncthreads();
  for (int c = static_cast<int>(threadIdx.x); c < a.width; c += threads) {
    float sum = 0;
    for (int w = 0; w < warps; ++w) sum += of_bias[w][c];
    a.of_bias[blockIdx.x * a.width + c] = sum;
  }
}

__global__ void __launch_bounds__(threads) neighbour_assignment(NeighbourAssignment a) {
  float inside = 0;
  float ends = 0;
  const bool used = lane() < a.clusters;
  for (auto n = first_node(); n < a.nodes; n += all_warps()) {
    const auto place = n * a.clusters + lane();
    float sum = 0;
    for_neighbours(a.neighbours, n, [&](std::int64_t other, float weight) {
      if (used) sum += weight * a.s[other * a.clusters + lane()];
    });
    if (used) a.sum[place] = 2 * sum;
    if (used) inside += sum * a.s[place];
    if (lane() == 0) ends += a.weighted[n];
  }
  store_sums<warps>(warp_sum(inside), warp_sum(ends), a.traces);
}

/// A node's row is read from `of_node` arrays or written there, a neighbour's read from `of_neighbour`.
void say_sums(const NeighbourRows& all, std::int64_t nodes, std::int64_t width, double of_node,
              double of_neighbour) {
  constexpr double numbers = 3 * sizeof(std::int64_t);  // of a node: its row, and where its neighbours lie
  constexpr double edge = sizeof(std::int64_t) + sizeof(float);
  const auto n = static_cast<double>(nodes);
  const auto row = static_cast<double>(width);
  const auto edges = n * all.mean_neighbours;
  harness::next_launch_does(
      n * (numbers + of_node * sizeof(float) * row) + edges * (edge + of_neighbour * sizeof(float) * row),
      row * (n + edges));
}

}  // namespace

void launch_neighbour_sum(const NeighbourSum& args, cudaStream_t stream) {
  if (args.nodes == 0) return;
  say_sums(args.neighbours, args.nodes, args.width, 2, 1);
  neighbour_sum<<<blocks_for(args.nodes, warps), threads, 0, stream>>>(args);
  harness::check(cudaGetLastError());
}

void launch_neighbour_sum_backward(const NeighbourSumBackward& args, cudaStream_t stream) {
  say_sums(args.neighbours, args.nodes, args.width, 3, 2);
  neighbour_sum_backward<<<static_cast<unsigned>(args.blocks), threads, 0, stream>>>(args);
  harness::check(cudaGetLastError());
}

void launch_neighbour_assignment(const NeighbourAssignment& args, cudaStream_t stream) {
  say_sums(args.neighbours, args.nodes, args.clusters, 2, 1);
  neighbour_assignment<<<static_cast<unsigned>(args.blocks), threads, 0, stream>>>(args);
  harness::check(cudaGetLastError());
}

}  // namespace workloads::stgym
