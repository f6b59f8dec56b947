// What the slow way costs on a GPU: spread() makes two [n, k] int64 tensors on the host and copies them from
// pageable memory; with k = 20 for the assignment and k = 128 for the features, and the features' part of the
// layer standing twice in the file, that is 16 n (20 + 128 + 128) = 4,416 n bytes in every forward pass:
// 317 MB at the 71,900 nodes of a full-size batch, while the device waits.

#include "workloads/stgym/model/block_diagonal.hpp"

#include <ATen/ATen.h>

#include <iterator>
#include <numeric>

namespace workloads::stgym {

at::Tensor to_device(const at::Tensor& made, at::Device device, std::int64_t& bytes) {
  bytes += static_cast<std::int64_t>(made.nbytes());
  return made.to(device);
}

at::Tensor graph_offsets(const at::Tensor& graph_of, std::int64_t graphs, const Switches& switches,
                         HostIndices& host_indices) {
  const auto integers = graph_of.options();
  // bincount must ask for the largest number; a search for numbers that are known has a length that is known.
  if (switches.explicit_sizes) return at::searchsorted(graph_of, at::arange(graphs + 1, integers));
  const auto nodes = at::bincount(graph_of);
  if (!switches.no_host_checks) TORCH_CHECK(!nodes.eq(0).any().is_nonzero(), "a graph has no nodes");
  const auto zero = switches.device_indices
                        ? at::zeros({1}, integers)
                        : to_device(at::zeros({1}, at::kLong), graph_of.device(), host_indices.small_bytes);
  return at::concat({zero, nodes.cumsum(0)});
}

BlockDiagonal::BlockDiagonal(const at::Tensor& graph_of, const std::vector<std::int64_t>& sizes,
                             const Switches& switches, HostIndices& host_indices)
    : graph_of_(graph_of),
      sizes_(sizes),
      switches_(switches),
      host_(host_indices),
      device_(graph_of.device()),
      ptr_(graph_offsets(graph_of, std::ssize(sizes), switches, host_indices)),
      graphs_(ptr_.size(0) - 1) {}

at::Tensor BlockDiagonal::nodes_of_graphs() const { return ptr_.slice(0, 1) - ptr_.slice(0, 0, -1); }

/// Reads a device value on the host, and waits for the device to have it; or reads shapes and sizes. That the
/// graphs end at the last node shows in the shapes of what is added up.
void BlockDiagonal::check_offsets(std::int64_t nodes) const {
  if (switches_.no_host_checks) {
    const auto sum = std::accumulate(sizes_.begin(), sizes_.end(), std::int64_t{0});
    TORCH_CHECK(sum == nodes && graph_of_.size(0) == nodes, "the graphs do not end at the last node");
    return;
  }
  TORCH_CHECK(ptr_[0].eq(0).is_nonzero(), "the first graph does not begin at node 0");
}

/// Row and column of each entry of an [n, k] matrix, both [n, k] int64.
std::pair<at::Tensor, at::Tensor> BlockDiagonal::entry_numbers(std::int64_t n, std::int64_t k) const {
  if (!switches_.device_indices)
    return {to_device(at::arange(n, at::kLong).repeat({k, 1}).numpy_T(), device_, host_.bytes),
            to_device(at::arange(k, at::kLong).repeat({n, 1}), device_, host_.bytes)};
  const auto integers = ptr_.options();
  return {at::arange(n, integers).repeat({k, 1}).numpy_T(), at::arange(k, integers).repeat({n, 1})};
}

/// The first column of each graph's block.
at::Tensor BlockDiagonal::block_starts(std::int64_t k) const {
  if (!switches_.device_indices)
    return to_device(at::arange(0, k * graphs_, k, at::kLong), device_, host_.small_bytes);
  return at::arange(0, k * graphs_, k, ptr_.options());
}

at::Tensor BlockDiagonal::spread(const at::Tensor& stacked) const {
  const auto n = stacked.size(0);
  const auto k = stacked.size(1);
  check_offsets(n);
  const auto [rows, columns] = entry_numbers(n, k);
  const auto sizes = nodes_of_graphs();
  const auto first = block_starts(k);
  const auto starts = switches_.explicit_sizes ? at::repeat_interleave(first, sizes, {}, n)
                                               : at::repeat_interleave(first, sizes);
  columns.add_(starts.repeat({k, 1}).numpy_T());
  const auto indices = at::vstack({rows.flatten(), columns.flatten()});
  if (!switches_.explicit_sizes) return at::sparse_coo_tensor(indices, stacked.flatten());
  // Row by row, columns ascending: in order already.
  return at::sparse_coo_tensor(indices, stacked.flatten(), {n, k * graphs_}, {}, /*is_coalesced=*/true);
}

at::Tensor one_over(const at::Tensor& x) { return x.reciprocal().mul(1); }

at::Tensor diagonal_matrix(const at::Tensor& places, const at::Tensor& values, const Switches& switches) {
  if (!switches.explicit_sizes) return at::sparse_coo_tensor(places, values);
  const auto n = values.size(0);
  // Said to the constructor: at::_coalesced has no derivative, and a pooled graph's degrees need one.
  return at::sparse_coo_tensor(places, values, {n, n}, {}, /*is_coalesced=*/true);
}

}  // namespace workloads::stgym
