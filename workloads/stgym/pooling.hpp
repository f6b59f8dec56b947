// MinCut pooling as STGym's layer does it: sparse assignment matrix, two losses, a pooled graph.
#pragma once

#include "workloads/stgym/switches.hpp"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace workloads::stgym {

/// What the layer is given. N nodes, B graphs, K clusters, H features.
struct PoolingInput {
  at::Tensor h;          // [N, H]
  at::Tensor s;          // [N, K], softmaxed once by the caller; the layer applies a second softmax
  at::Tensor adjacency;  // [N, N] sparse COO
  at::Tensor graph_of;   // [N] int64, ascending
  std::vector<std::int64_t> sizes;  // [B]: nodes of each graph, which explicit_sizes and the rungs above read
};

struct Pooled {
  at::Tensor out_x;        // [B * K, H], before the activation
  at::Tensor out_adj;      // [B * K, B * K] dense, no diagonal, normalised
  at::Tensor out_batch;    // [B * K] int64: the graph of a cluster
  at::Tensor edges;        // [2, E'] int64: out_adj made undirected
  at::Tensor weights;      // [E'] float32: mean of both directions
  at::Tensor mincut_loss;  // scalar
  at::Tensor ortho_loss;   // scalar
};

/// Bytes of tensors that were made on the host for a device, counted where they are made. On a GPU each of
/// them is a copy from pageable memory; without one the same tensors are made and nothing moves.
struct HostIndices {
  std::int64_t bytes = 0;         // the [n, k] index tensors: 4,416 bytes a node in naive
  std::int64_t small_bytes = 0;   // index tensors of a few numbers
  std::int64_t scalar_bytes = 0;  // the number of clusters, which is no index
};

/// One forward pass of the layer. Adds to `host_indices`.
Pooled pool(const PoolingInput& input, const Switches& switches, HostIndices& host_indices);

}  // namespace workloads::stgym
