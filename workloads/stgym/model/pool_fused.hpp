// The pooling layer with a kernel of its own: what stgym/fused_pooling switches to.
#pragma once

#include "workloads/stgym/model/pooling.hpp"

namespace workloads::stgym {

/// What one pass over h and the logits gives; each has a gradient by both.
struct PoolSums {
  at::Tensor s;       // [N, K]: the softmax, or the softmax of the softmax, of the logits
  at::Tensor inside;  // scalar: trace(S' A S), edges between graphs left out
  at::Tensor ends;    // scalar: trace(S' D S), D the column sums of A
  at::Tensor ss;      // [B, K, K]: S' S of each graph
  at::Tensor sh;      // [B, K, H]: S' h of each graph
};

/// What the sums are taken of. Nodes behind the last graph (`graph_of` == graphs) are padding.
struct PoolSumsInput {
  at::Tensor h;          // [N, H] float32; on the host float64 too; H is 0 if nothing reads S' h
  at::Tensor logits;     // [N, K]
  at::Tensor adjacency;  // [N, N] sparse COO, coalesced, its values without a gradient
  at::Tensor graph_of;   // [N] int64, ascending
  std::int64_t graphs = 0;
  int softmaxes = 2;  // 1 or 2
};

PoolSums pool_sums(const PoolSumsInput& input);

/// True if the kernels take this: MinCut, at most 32 clusters, on a device at most 256 features, no gradient
/// by the edges' weights.
bool fused_pooling_fits(const PoolingInput& input);

/// One forward pass of the layer as pool() gives it, and `Pooled::soft`. With `softmaxes` 2, `input.s` holds
/// the logits, and the first softmax is the kernel's too.
Pooled pool_fused(const PoolingInput& input, int softmaxes);

}  // namespace workloads::stgym
