// The layer that the case study is about, line by line as it was first published: its products, sorts, waits
// and copies are counted against the published code's (operators.test.cpp). Each published change is a branch
// on its switch, slow way first; its index tensors are made in block_diagonal.cpp.

#include "workloads/stgym/model/pooling.hpp"

#include "workloads/stgym/model/pool_by_segment.hpp"
#include "workloads/stgym/model/pool_fused.hpp"

#include <ATen/ATen.h>

#include <cmath>

namespace workloads::stgym {
namespace {

/// One forward pass: what its parts have in common.
class Layer {
 public:
  Layer(const PoolingInput& input, const Switches& switches, HostIndices& host_indices);

  Pooled run();

 private:
  at::Tensor dense(const at::Tensor& value) const;
  at::Tensor numbers(std::int64_t n) const;
  at::Tensor pooled_degrees() const;
  at::Tensor pooled_adjacency() const;
  at::Tensor mincut() const;
  at::Tensor spectral() const;
  at::Tensor cluster() const;
  at::Tensor uniform() const;
  at::Tensor norms(const at::Tensor& matrix) const;
  at::Tensor ortho() const;
  void tail(Pooled& out) const;

  const PoolingInput& in_;
  const Switches& switches_;
  HostIndices& host_;
  BlockDiagonal diagonal_;
  std::int64_t graphs_;
  std::int64_t clusters_;
  at::Tensor soft_;      // S: [N, K]
  at::Tensor degree_;    // [N]
  at::Tensor places_;    // [2, B K]: the diagonal of a matrix of clusters
  at::Tensor c_;         // C: [N, B K] sparse, block diagonal of S; each product sorts its entries anew
  at::Tensor graph_of_;  // [B K]: the graph of a cluster
};

Layer::Layer(const PoolingInput& input, const Switches& switches, HostIndices& host_indices)
    : in_(input),
      switches_(switches),
      host_(host_indices),
      diagonal_(input.graph_of, input.sizes, switches, host_indices),
      graphs_(diagonal_.graphs()),
      clusters_(input.s.size(1)),
      soft_(at::softmax(input.s, -1)),
      degree_(at::_sparse_sum(input.adjacency, {0}).to_dense()) {
  const auto all = numbers(clusters_ * graphs_);
  places_ = at::stack({all, all});
  c_ = diagonal_.spread(soft_);
  graph_of_ = numbers(graphs_).repeat_interleave(clusters_);
}

/// A value that is dense already. The first version converted it all the same.
at::Tensor Layer::dense(const at::Tensor& value) const {
  return switches_.no_to_dense ? value : value.to_dense();
}

at::Tensor Layer::numbers(std::int64_t n) const { return at::arange(n, in_.graph_of.options()); }

/// C' D C, D the degrees: [B K, B K] sparse. How many nodes there are is read back from the device.
at::Tensor Layer::pooled_degrees() const {
  const auto n =
      switches_.explicit_sizes ? in_.s.size(0) : diagonal_.nodes_of_graphs().sum().item<std::int64_t>();
  const auto all = numbers(n);
  const auto d = diagonal_matrix(at::stack({all, all}), degree_, switches_);
  return at::matmul(at::matmul(c_.numpy_T(), d), c_);
}

/// C' A C: [B K, B K] dense, by way of a dense C.
at::Tensor Layer::pooled_adjacency() const {
  const auto ca = at::matmul(c_.numpy_T(), in_.adjacency);
  return at::matmul(ca, c_.to_dense());
}

/// - trace(C' A C) / trace(C' D C).
at::Tensor Layer::mincut() const {
  const auto degrees = pooled_degrees();
  const auto inside = pooled_adjacency().trace().neg();
  return inside / degrees.to_dense().trace();
}

/// - mean over the graphs of [ trace(C' A C) / 2m - |C' d|^2 / (2m)^2 ], d the degrees, 2m their sum.
at::Tensor Layer::spectral() const {
  const auto ends =
      at::zeros({graphs_}, degree_.options().requires_grad(false)).index_add(0, in_.graph_of, degree_);
  const auto trace = pooled_adjacency().diagonal().view({graphs_, clusters_}).sum(1);
  const auto expected =
      at::matmul(c_.numpy_T(), degree_.unsqueeze(1)).view({graphs_, clusters_}).square().sum(1);
  // A graph without edges has nothing to part: its term is 0, not 0 / 0.
  const auto all = ends.masked_fill(ends.eq(0), 1);
  return -(trace / all - expected / all.square()).mean();
}

/// Mean over the graphs of |column sums of S| / n * sqrt(K) - 1.
at::Tensor Layer::cluster() const {
  const auto sums = at::_sparse_sum(c_, {0}).to_dense().view({graphs_, clusters_});
  const auto share = at::linalg_vector_norm(sums, 2, at::IntArrayRef{1}) / diagonal_.nodes_of_graphs();
  return (share * std::sqrt(static_cast<double>(clusters_)) - 1).mean();
}

/// [B K]: 1 / sqrt(K), the diagonal of the matrix that C' C should be.
at::Tensor Layer::uniform() const {
  const auto floats = in_.s.options().requires_grad(false);
  // torch.tensor(K, device=...): four bytes from the host. It stayed when the read-back went.
  const auto root = to_device(at::scalar_tensor(static_cast<double>(clusters_), at::kFloat), in_.s.device(),
                              host_.scalar_bytes)
                        .sqrt();
  if (!switches_.no_item) return at::full({clusters_ * graphs_}, one_over(root).item(), floats);
  return at::ones({clusters_ * graphs_}, floats) / root;
}

/// [B]: the norm of each graph's block on the diagonal of `matrix` [B K, B K]; the other blocks are 0.
at::Tensor Layer::norms(const at::Tensor& matrix) const {
  const auto rows = dense(matrix.pow(2).sum(1));
  const auto graphs = switches_.explicit_sizes ? graphs_ : graph_of_.max().item<std::int64_t>() + 1;
  return at::zeros({graphs}, rows.options().requires_grad(false)).scatter_add(0, graph_of_, rows).sqrt();
}

/// Mean over the graphs of || CC / ||CC|| - I / sqrt(K) ||, CC = C' C of the graph.
at::Tensor Layer::ortho() const {
  const auto cc = at::matmul(c_.numpy_T(), c_).to_dense();
  const auto scale = one_over(norms(cc).repeat_interleave(clusters_));
  const auto scaled = at::matmul(cc, diagonal_matrix(places_, scale, switches_));
  return norms(scaled - diagonal_matrix(places_, uniform(), switches_)).mean();
}

/// The pooled graph and its features.
void Layer::tail(Pooled& out) const {
  out.out_adj = normalised(at::matmul(at::matmul(c_.numpy_T(), in_.adjacency), c_), places_, switches_);
  const auto& pooler = in_.kind == PoolingKind::mincut ? soft_ : in_.s;
  const auto summed = at::matmul(pooler.numpy_T(), diagonal_.spread(in_.h));
  out.out_x = at::vstack(summed.split(in_.h.size(1), 1));
}

Pooled Layer::run() {
  Pooled out;
  if (in_.kind == PoolingKind::mincut) {
    out.mincut_loss = mincut();
  } else {
    out.spectral_loss = spectral();
    out.cluster_loss = cluster();
  }
  out.ortho_loss = ortho();
  if (!switches_.single_tail) tail(out);  // its results are overwritten by the next line's
  tail(out);
  out.out_batch = graph_of_;
  graph_offsets(out.out_batch, graphs_, switches_, host_);  // of the pooled batch; nobody reads them
  if (in_.graph_is_read) make_undirected(out, switches_);
  return out;
}

/// The entries beside the diagonal. How many there are is asked of the device, once for each index.
at::Tensor without_diagonal(const at::Tensor& weights, const Switches& switches) {
  const auto ends = weights.indices();
  const auto values = weights.values();
  const auto kept = ends[0].ne(ends[1]);
  const auto places = at::index(ends, {std::nullopt, kept});
  const auto others = at::index(values, {kept});
  if (!switches.explicit_sizes) return at::sparse_coo_tensor(places, others, weights.sizes());
  return at::sparse_coo_tensor(places, others, weights.sizes(), {}, /*is_coalesced=*/true);
}

/// [n + 1]: a number that stands for each edge's place, behind -1.
at::Tensor keys_of(const at::Tensor& edges, std::int64_t nodes) {
  const auto keys = edges.new_empty({edges.size(1) + 1});
  keys[0].fill_(-1);
  keys.slice(0, 1).copy_(edges[0]);
  keys.slice(0, 1).mul_(nodes).add_(edges[1]);
  return keys;
}

/// Sums and numbers of the values that go to the same one of `n` places, divided.
at::Tensor means(const at::Tensor& values, const at::Tensor& places, std::int64_t n) {
  const auto counts =
      values.new_zeros({n}).scatter_add_(0, places, values.new_ones({places.size(0)})).clamp(1);
  return values.new_zeros({n}).scatter_add_(0, places, values) / counts;
}

}  // namespace

Pooled pool(const PoolingInput& input, const Switches& switches, HostIndices& host_indices) {
  if (switches.fused_pooling && fused_pooling_fits(input)) return pool_fused(input, 1);
  return switches.segment_pooling ? pool_by_segment(input) : Layer(input, switches, host_indices).run();
}

at::Tensor roots(const at::Tensor& row_sums) {
  return row_sums.masked_fill(row_sums.eq(0), 1).sqrt() + 1e-12;
}

at::Tensor normalised(const at::Tensor& weights, const at::Tensor& places, const Switches& switches) {
  const auto others = without_diagonal(weights, switches);
  const auto scale =
      diagonal_matrix(places, one_over(roots(at::_sparse_sum(others, {1}).to_dense())), switches);
  return at::matmul(at::matmul(scale, others), scale);
}

void make_undirected(Pooled& out, const Switches& switches) {
  const auto found = out.out_adj.indices();
  const auto values = out.out_adj.values();
  const auto both = at::stack({at::cat({found[0], found[1]}), at::cat({found[1], found[0]})});
  const auto count = both.size(1);
  const bool asks = !switches.explicit_sizes && count > 0;
  const auto nodes = asks ? both[0].max().item<std::int64_t>() + 1 : out.out_adj.size(0);

  const auto keys = keys_of(both, nodes);
  const auto [sorted, order] = keys.slice(0, 1).sort();
  keys.slice(0, 1).copy_(sorted);
  const auto edges = at::index(both, {std::nullopt, order});
  const auto weights = at::index(at::cat({values, values}), {order});
  const auto first = keys.slice(0, 1) > keys.slice(0, 0, -1);
  out.edges = edges;
  out.weights = weights;
  if (first.all().is_nonzero()) return;  // no edge was there twice
  out.edges = at::index(edges, {std::nullopt, first});
  const auto place = at::arange(count, both.options()).sub_(first.logical_not_().cumsum(0));
  out.weights = means(weights, place, out.edges.size(1));
}

}  // namespace workloads::stgym
