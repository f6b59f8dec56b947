#include "workloads/stgym/model/pooled_graph.hpp"

#include "workloads/stgym/model/block_diagonal.hpp"

#include <ATen/ATen.h>

#include <optional>

namespace workloads::stgym {
namespace {

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
