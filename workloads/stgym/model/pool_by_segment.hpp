// The pooling layer without its sparse matrix, what stgym/segment_pooling switches to; and that of a batch
// of row numbers, as far as a classifier of nodes reads it: what stgym/rows_in_place pools with.
#pragma once

#include "workloads/stgym/data/batch.hpp"
#include "workloads/stgym/model/pooling.hpp"

namespace workloads::stgym {

/// One forward pass of the layer: the same outputs as with C written down, up to the order of sums. Throws
/// c10::Error where the sizes do not add up to the nodes.
Pooled pool_by_segment(const PoolingInput& input);

/// Of S' S [B, K, K]: the mean over the graphs of || S'S / ||S'S|| - I / sqrt(K) ||.
at::Tensor mean_ortho_loss(const at::Tensor& ss);
/// Pooled::out_batch: [B K].
at::Tensor cluster_graphs(const PoolingInput& input);
/// The pooled graph: out_adj, its edges and their weights. `s` is the layer's own softmax.
void add_pooled_graph(const PoolingInput& input, const at::Tensor& s, Pooled& out);

/// `Pooled::soft` and both losses, from the logits of the assignment [N, K], float32 on a device, K <= 32.
/// The rest stays undefined: nobody reads it.
Pooled pool_in_place(const at::Tensor& logits, const Batch& batch);

}  // namespace workloads::stgym
