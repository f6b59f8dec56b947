// The layer that the case study is about. Each published change is a branch on its switch, slow way first.
//
// What the slow way costs on a GPU: block_diagonal() makes two [n, k] int64 tensors on the host and copies
// them from pageable memory; with k = 20 for the assignment and k = 128 for the features, and the features'
// part of the layer standing twice in the file, that is 16 n (20 + 128 + 128) = 4,416 n bytes in every
// forward pass: 317 MB at the 71,900 nodes of a full-size batch, while the device waits.

#include "workloads/stgym/pooling.hpp"

#include "workloads/stgym/pool_by_segment.hpp"

#include <ATen/ATen.h>

#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

namespace workloads::stgym {
namespace {

/// One forward pass: what its parts have in common.
class Layer {
 public:
  Layer(const PoolingInput& input, const Switches& switches, HostIndices& host_indices)
      : in_(input), switches_(switches), host_(host_indices), device_(input.s.device()) {}

  Pooled run();

 private:
  at::Tensor to_device(const at::Tensor& made, std::int64_t& bytes) const;
  at::Tensor graph_offsets() const;
  void check_offsets(std::int64_t nodes) const;
  std::pair<at::Tensor, at::Tensor> entry_numbers(std::int64_t n, std::int64_t k) const;
  at::Tensor block_starts(std::int64_t k) const;
  at::Tensor block_diagonal(const at::Tensor& stacked) const;
  at::Tensor diagonal_blocks(const at::Tensor& dense, std::int64_t columns) const;
  at::Tensor dense(const at::Tensor& value) const;
  at::Tensor mincut(const at::Tensor& cac) const;
  at::Tensor uniform() const;
  at::Tensor ortho() const;
  void tail(const at::Tensor& cac, Pooled& out) const;

  const PoolingInput& in_;
  const Switches& switches_;
  HostIndices& host_;
  at::Device device_;
  at::Tensor ptr_;  // [B + 1] int64: where each graph's nodes begin
  std::int64_t graphs_ = 0;
  at::Tensor c_;   // C: [N, B K] sparse, block diagonal of the second softmax
  at::Tensor ct_;  // C', coalesced once: a product would sort its entries anew each time
};

/// A tensor that was made on the host, on the device: a blocking copy from pageable memory.
at::Tensor Layer::to_device(const at::Tensor& made, std::int64_t& bytes) const {
  bytes += static_cast<std::int64_t>(made.nbytes());
  return made.to(device_);
}

/// From the graph of each node to the first node of each graph. bincount must ask for the largest number; a
/// search for numbers that are known has a length that is known.
at::Tensor Layer::graph_offsets() const {
  const auto integers = in_.graph_of.options();
  if (switches_.explicit_sizes)
    return at::searchsorted(in_.graph_of, at::arange(std::ssize(in_.sizes) + 1, integers));
  const auto zero = switches_.device_indices ? at::zeros({1}, integers)
                                             : to_device(at::zeros({1}, at::kLong), host_.small_bytes);
  return at::cat({zero, at::bincount(in_.graph_of).cumsum(0)});
}

/// Reads two device values on the host, and waits for the device to have them; or reads shapes and sizes.
void Layer::check_offsets(std::int64_t nodes) const {
  if (switches_.no_host_checks) {
    const auto sum = std::accumulate(in_.sizes.begin(), in_.sizes.end(), std::int64_t{0});
    TORCH_CHECK(sum == nodes && in_.graph_of.size(0) == nodes, "the graphs do not end at the last node");
    return;
  }
  TORCH_CHECK(ptr_[0].item<std::int64_t>() == 0, "the first graph does not begin at node 0");
  TORCH_CHECK(ptr_[-1].item<std::int64_t>() == nodes, "the graphs do not end at the last node");
}

/// Row and column of each entry of an [n, k] matrix, both [n, k] int64.
std::pair<at::Tensor, at::Tensor> Layer::entry_numbers(std::int64_t n, std::int64_t k) const {
  if (!switches_.device_indices)
    return {to_device(at::arange(n, at::kLong).repeat({k, 1}).t(), host_.bytes),
            to_device(at::arange(k, at::kLong).repeat({n, 1}), host_.bytes)};
  const auto integers = ptr_.options();
  return {at::arange(n, integers).repeat({k, 1}).t(), at::arange(k, integers).repeat({n, 1})};
}

/// The first column of each graph's block.
at::Tensor Layer::block_starts(std::int64_t k) const {
  if (!switches_.device_indices)
    return to_device(at::arange(0, k * graphs_, k, at::kLong), host_.small_bytes);
  return at::arange(0, k * graphs_, k, ptr_.options());
}

/// [N, k] -> [N, B k] sparse COO: the rows of graph b move to columns b k .. b k + k - 1.
at::Tensor Layer::block_diagonal(const at::Tensor& stacked) const {
  const auto n = stacked.size(0);
  const auto k = stacked.size(1);
  check_offsets(n);
  const auto [rows, within] = entry_numbers(n, k);
  const auto first = block_starts(k);
  const auto starts = switches_.explicit_sizes ? at::repeat_interleave(first, ptr_.diff(), {}, n)
                                               : at::repeat_interleave(first, ptr_.diff());
  const auto columns = within + starts.unsqueeze(1);
  const auto indices = at::stack({rows.reshape(-1), columns.reshape(-1)});
  if (!switches_.explicit_sizes) return at::sparse_coo_tensor(indices, stacked.reshape(-1)).coalesce();
  // Row by row, columns ascending: in order already.
  return at::sparse_coo_tensor(indices, stacked.reshape(-1), {n, k * graphs_}, {}, /*is_coalesced=*/true);
}

/// The B blocks on the diagonal of a [B K, B columns] matrix: [B, K, columns].
at::Tensor Layer::diagonal_blocks(const at::Tensor& dense, std::int64_t columns) const {
  const auto k = in_.s.size(1);
  return dense.view({graphs_, k, graphs_, columns}).diagonal(0, 0, 2).permute({2, 0, 1});
}

/// A value that is dense already. The first version converted it all the same.
at::Tensor Layer::dense(const at::Tensor& value) const {
  return switches_.no_to_dense ? value : value.to_dense();
}

/// - trace(C' A C) / trace(C' D C), D the degrees.
at::Tensor Layer::mincut(const at::Tensor& cac) const {
  const auto n = in_.s.size(0);
  const auto degree = at::_sparse_sum(in_.adjacency, {0}).to_dense();
  const auto diagonal = at::arange(n, ptr_.options());
  const auto d = at::_coalesced(at::sparse_coo_tensor(at::stack({diagonal, diagonal}), degree, {n, n}),
                                switches_.explicit_sizes);
  const auto cdc = at::mm(at::mm(ct_, d), c_).to_dense();
  return -(dense(cac).trace() / dense(cdc).trace());
}

/// [B K]: 1 / sqrt(K), the diagonal of the matrix that C' C should be.
at::Tensor Layer::uniform() const {
  const auto k = in_.s.size(1);
  const auto floats = in_.s.options().requires_grad(false);
  // torch.tensor(K, device=...): four bytes from the host. It stayed when the read-back went.
  const auto root =
      to_device(at::scalar_tensor(static_cast<double>(k), at::kFloat), host_.scalar_bytes).sqrt();
  if (!switches_.no_item) return at::full({k * graphs_}, (1 / root).item(), floats);
  return at::ones({k * graphs_}, floats) / root;
}

/// Mean over the graphs of || CC / ||CC|| - I / sqrt(K) ||, CC = C' C of the graph.
at::Tensor Layer::ortho() const {
  const auto k = in_.s.size(1);
  const auto cc = diagonal_blocks(dense(at::mm(ct_, c_).to_dense()), k);
  const auto scaled = cc / at::linalg_vector_norm(cc, 2, at::IntArrayRef{1, 2}, true);
  const auto excess = scaled - at::diag_embed(uniform().view({graphs_, k}));
  return at::linalg_vector_norm(excess, 2, at::IntArrayRef{1, 2}).mean();
}

/// The pooled graph: out_adj without its diagonal, normalised, and out_x.
void Layer::tail(const at::Tensor& cac, Pooled& out) const {
  const auto own = at::eye(cac.size(0), cac.options().dtype(at::kBool).requires_grad(false));
  const auto others = dense(cac).masked_fill(own, 0);
  const auto root = others.sum(1).sqrt() + 1e-12;
  out.out_adj = others / root.unsqueeze(1) / root.unsqueeze(0);
  const auto summed = at::mm(ct_, block_diagonal(in_.h)).to_dense();
  out.out_x = diagonal_blocks(dense(summed), in_.h.size(1)).reshape({-1, in_.h.size(1)});
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
  ptr_ = graph_offsets();
  graphs_ = ptr_.size(0) - 1;
  c_ = block_diagonal(at::softmax(in_.s, -1));
  ct_ = c_.t().coalesce();
  const auto cac = at::mm(at::mm(ct_, in_.adjacency), c_).to_dense();
  out.mincut_loss = mincut(cac);
  out.ortho_loss = ortho();
  if (!switches_.single_tail) tail(cac, out);  // its results are overwritten by the next line's
  tail(cac, out);
  out.out_batch = at::arange(graphs_, ptr_.options()).repeat_interleave(in_.s.size(1));
  make_undirected(out);
  return out;
}

}  // namespace

Pooled pool(const PoolingInput& input, const Switches& switches, HostIndices& host_indices) {
  return switches.segment_pooling ? pool_by_segment(input) : Layer(input, switches, host_indices).run();
}

}  // namespace workloads::stgym
