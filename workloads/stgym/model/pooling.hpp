// MinCut and DMoN pooling as STGym's layers do it: sparse assignment matrix, losses, and the graph of
// clusters that they leave behind.
#pragma once

#include "workloads/stgym/model/block_diagonal.hpp"
#include "workloads/stgym/space/stgym_switches.hpp"

namespace workloads::stgym {

/// Both apply a softmax to the assignment. MinCut's caller has applied one before, yes, a second one; DMoN
/// pools the features with the assignment as it was before the softmax.
enum class PoolingKind { mincut, dmon };

/// What the layer is given. N nodes, B graphs, K clusters, H features.
struct PoolingInput {
  at::Tensor h;                     // [N, H]
  at::Tensor s;                     // [N, K], for MinCut softmaxed once by the caller
  at::Tensor adjacency;             // [N, N] sparse COO, coalesced; its values may have a gradient
  at::Tensor graph_of;              // [N] int64, ascending
  std::vector<std::int64_t> sizes;  // [B]: nodes of each graph, which explicit_sizes and the rungs above read
  PoolingKind kind = PoolingKind::mincut;
  /// False: nobody reads the pooled graph, and the layer may leave out_adj, edges and weights undefined.
  bool graph_is_read = true;
  /// False: nobody reads the clusters' features either, and the layer may leave out_x undefined.
  bool features_are_read = true;
};

struct Pooled {
  at::Tensor out_x;      // [B * K, H], before the activation
  at::Tensor out_adj;    // [B * K, B * K], no diagonal, normalised; sparse in the published form, else dense
  at::Tensor out_batch;  // [B * K] int64: the graph of a cluster
  at::Tensor edges;      // [2, E'] int64: out_adj made undirected
  at::Tensor weights;    // [E'] float32: mean of both directions
  at::Tensor mincut_loss;    // scalar, of MinCut only
  at::Tensor ortho_loss;     // scalar
  at::Tensor spectral_loss;  // scalar, of DMoN only
  at::Tensor cluster_loss;   // scalar, of DMoN only
  at::Tensor soft;           // [N, K]: the layer's softmax of s, where fused_pooling has made it
};

/// One forward pass of the layer. Adds to `host_indices`.
Pooled pool(const PoolingInput& input, const Switches& switches, HostIndices& host_indices);

/// [n]: what a pooled graph's weights [n, n] are divided by, the roots of their row sums (and 1e-12). 1 where
/// a node has no edge: a root of 0 has no derivative, and a layer on the pooled graph needs one.
at::Tensor roots(const at::Tensor& row_sums);

/// Weights [n, n], sparse and coalesced, without their diagonal, divided by the roots of both row sums.
/// `places` [2, n] holds 0 .. n - 1 twice.
at::Tensor normalised(const at::Tensor& weights, const at::Tensor& places, const Switches& switches);

/// Fills in edges and weights from out_adj, which is sparse: every edge in both directions, sorted, its
/// weight the mean of those that were there.
void make_undirected(Pooled& out, const Switches& switches);

}  // namespace workloads::stgym
