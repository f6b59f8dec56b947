// The layer that the case study is about. Each published change is a branch on its switch, slow way first;
// its index tensors are made in block_diagonal.cpp.

#include "workloads/stgym/pooling.hpp"

#include "workloads/stgym/block_diagonal.hpp"
#include "workloads/stgym/pool_by_segment.hpp"
#include "workloads/stgym/pool_fused.hpp"

#include <ATen/ATen.h>

#include <cmath>
#include <optional>
#include <utility>

namespace workloads::stgym {
namespace {

/// One forward pass: what its parts have in common.
class Layer {
 public:
  Layer(const PoolingInput& input, const Switches& switches, HostIndices& host_indices)
      : in_(input),
        switches_(switches),
        host_(host_indices),
        diagonal_(input.graph_of, input.sizes, switches, host_indices),
        graphs_(diagonal_.graphs()) {}

  Pooled run();

 private:
  at::Tensor dense(const at::Tensor& value) const;
  at::Tensor mincut(const at::Tensor& cac) const;
  at::Tensor spectral(const at::Tensor& cac) const;
  at::Tensor cluster() const;
  at::Tensor uniform() const;
  at::Tensor ortho() const;
  void tail(const at::Tensor& cac, Pooled& out) const;

  const PoolingInput& in_;
  const Switches& switches_;
  HostIndices& host_;
  BlockDiagonal diagonal_;
  std::int64_t graphs_;
  at::Tensor c_;       // C: [N, B K] sparse, block diagonal of the assignment's softmax
  at::Tensor ct_;      // C', coalesced once: a product would sort its entries anew each time
  at::Tensor pooler_;  // [B K, N] sparse: what sums up the features. MinCut: C'
};

/// A value that is dense already. The first version converted it all the same.
at::Tensor Layer::dense(const at::Tensor& value) const {
  return switches_.no_to_dense ? value : value.to_dense();
}

/// - trace(C' A C) / trace(C' D C), D the degrees.
at::Tensor Layer::mincut(const at::Tensor& cac) const {
  const auto n = in_.s.size(0);
  const auto degree = at::_sparse_sum(in_.adjacency, {0}).to_dense();
  const auto diagonal = at::arange(n, in_.graph_of.options());
  // Said to the constructor: at::_coalesced has no derivative, and a pooled graph's degrees need one.
  const auto in_order = switches_.explicit_sizes ? std::optional(true) : std::nullopt;
  const auto d = at::sparse_coo_tensor(at::stack({diagonal, diagonal}), degree, {n, n}, {}, in_order);
  const auto cdc = at::mm(at::mm(ct_, d), c_).to_dense();
  return -(dense(cac).trace() / dense(cdc).trace());
}

/// - mean over the graphs of [ trace(C' A C) / 2m - |C' d|^2 / (2m)^2 ], d the degrees, 2m their sum.
at::Tensor Layer::spectral(const at::Tensor& cac) const {
  const auto k = in_.s.size(1);
  const auto degree = at::_sparse_sum(in_.adjacency, {0}).to_dense();
  const auto ends =
      at::zeros({graphs_}, degree.options().requires_grad(false)).index_add(0, in_.graph_of, degree);
  const auto trace = diagonal_.blocks(dense(cac), k).diagonal(0, 1, 2).sum(1);
  const auto expected = at::mm(ct_, degree.unsqueeze(1)).view({graphs_, k}).square().sum(1);
  // A graph without edges has nothing to part: its term is 0, not 0 / 0.
  const auto all = ends.masked_fill(ends.eq(0), 1);
  return -(trace / all - expected / all.square()).mean();
}

/// Mean over the graphs of |column sums of S| / n * sqrt(K) - 1.
at::Tensor Layer::cluster() const {
  const auto k = in_.s.size(1);
  const auto sums = at::_sparse_sum(c_, {0}).to_dense().view({graphs_, k});
  const auto share = at::linalg_vector_norm(sums, 2, at::IntArrayRef{1}) / diagonal_.offsets().diff();
  return (share * std::sqrt(static_cast<double>(k)) - 1).mean();
}

/// [B K]: 1 / sqrt(K), the diagonal of the matrix that C' C should be.
at::Tensor Layer::uniform() const {
  const auto k = in_.s.size(1);
  const auto floats = in_.s.options().requires_grad(false);
  // torch.tensor(K, device=...): four bytes from the host. It stayed when the read-back went.
  const auto root =
      to_device(at::scalar_tensor(static_cast<double>(k), at::kFloat), in_.s.device(), host_.scalar_bytes)
          .sqrt();
  if (!switches_.no_item) return at::full({k * graphs_}, (1 / root).item(), floats);
  return at::ones({k * graphs_}, floats) / root;
}

/// Mean over the graphs of || CC / ||CC|| - I / sqrt(K) ||, CC = C' C of the graph.
at::Tensor Layer::ortho() const {
  const auto k = in_.s.size(1);
  const auto cc = diagonal_.blocks(dense(at::mm(ct_, c_).to_dense()), k);
  const auto scaled = cc / at::linalg_vector_norm(cc, 2, at::IntArrayRef{1, 2}, true);
  const auto excess = scaled - at::diag_embed(uniform().view({graphs_, k}));
  return at::linalg_vector_norm(excess, 2, at::IntArrayRef{1, 2}).mean();
}

/// The pooled graph: out_adj without its diagonal, normalised, and out_x.
void Layer::tail(const at::Tensor& cac, Pooled& out) const {
  const auto own = at::eye(cac.size(0), cac.options().dtype(at::kBool).requires_grad(false));
  const auto others = dense(cac).masked_fill(own, 0);
  const auto root = root_of_sums(others);
  out.out_adj = others / root.unsqueeze(1) / root.unsqueeze(0);
  const auto summed = at::mm(pooler_, diagonal_.spread(in_.h)).to_dense();
  out.out_x = diagonal_.blocks(dense(summed), in_.h.size(1)).reshape({-1, in_.h.size(1)});
}

/// Every edge in both directions, its weight the mean of those that were there.
void make_undirected(Pooled& out) {
  const auto found = out.out_adj.nonzero().t();
  const auto weight = out.out_adj.index({found[0], found[1]});
  const auto both = at::cat({found, found.flip(0)}, 1);
  const auto n = out.out_adj.size(0);
  const auto sum = at::sparse_coo_tensor(both, at::cat({weight, weight}), {n, n}).coalesce();
  const auto count = at::sparse_coo_tensor(both, at::ones_like(both[0]), {n, n}).coalesce();
  out.edges = sum.indices();
  out.weights = sum.values() / count.values();
}

Pooled Layer::run() {
  Pooled out;
  c_ = diagonal_.spread(at::softmax(in_.s, -1));
  ct_ = c_.t().coalesce();
  pooler_ = in_.kind == PoolingKind::mincut ? ct_ : diagonal_.spread(in_.s).t().coalesce();
  const auto cac = at::mm(at::mm(ct_, in_.adjacency), c_).to_dense();
  if (in_.kind == PoolingKind::mincut) {
    out.mincut_loss = mincut(cac);
  } else {
    out.spectral_loss = spectral(cac);
    out.cluster_loss = cluster();
  }
  out.ortho_loss = ortho();
  if (!switches_.single_tail) tail(cac, out);  // its results are overwritten by the next line's
  tail(cac, out);
  out.out_batch = at::arange(graphs_, in_.graph_of.options()).repeat_interleave(in_.s.size(1));
  if (in_.graph_is_read) make_undirected(out);
  return out;
}

}  // namespace

at::Tensor root_of_sums(const at::Tensor& weights) {
  const auto sums = weights.sum(1);
  return sums.masked_fill(sums.eq(0), 1).sqrt() + 1e-12;
}

Pooled pool(const PoolingInput& input, const Switches& switches, HostIndices& host_indices) {
  if (switches.fused_pooling && fused_pooling_fits(input)) return pool_fused(input, 1);
  return switches.segment_pooling ? pool_by_segment(input) : Layer(input, switches, host_indices).run();
}

}  // namespace workloads::stgym
