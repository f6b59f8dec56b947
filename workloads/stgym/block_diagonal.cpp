// What the slow way costs on a GPU: spread() makes two [n, k] int64 tensors on the host and copies them from
// pageable memory; with k = 20 for the assignment and k = 128 for the features, and the features' part of the
// layer standing twice in the file, that is 16 n (20 + 128 + 128) = 4,416 n bytes in every forward pass:
// 317 MB at the 71,900 nodes of a full-size batch, while the device waits.

#include "workloads/stgym/block_diagonal.hpp"

#include <ATen/ATen.h>

#include <iterator>
#include <numeric>

namespace workloads::stgym {

at::Tensor to_device(const at::Tensor& made, at::Device device, std::int64_t& bytes) {
  bytes += static_cast<std::int64_t>(made.nbytes());
  return made.to(device);
}

BlockDiagonal::BlockDiagonal(const at::Tensor& graph_of, const std::vector<std::int64_t>& sizes,
                             const Switches& switches, HostIndices& host_indices)
    : graph_of_(graph_of),
      sizes_(sizes),
      switches_(switches),
      host_(host_indices),
      device_(graph_of.device()),
      ptr_(graph_offsets()),
      graphs_(ptr_.size(0) - 1) {}

/// From the graph of each node to the first node of each graph. bincount must ask for the largest number; a
/// search for numbers that are known has a length that is known.
at::Tensor BlockDiagonal::graph_offsets() const {
  const auto integers = graph_of_.options();
  if (switches_.explicit_sizes)
    return at::searchsorted(graph_of_, at::arange(std::ssize(sizes_) + 1, integers));
  const auto zero = switches_.device_indices
                        ? at::zeros({1}, integers)
                        : to_device(at::zeros({1}, at::kLong), device_, host_.small_bytes);
  return at::cat({zero, at::bincount(graph_of_).cumsum(0)});
}

/// Reads two device values on the host, and waits for the device to have them; or reads shapes and sizes.
void BlockDiagonal::check_offsets(std::int64_t nodes) const {
  if (switches_.no_host_checks) {
    const auto sum = std::accumulate(sizes_.begin(), sizes_.end(), std::int64_t{0});
    TORCH_CHECK(sum == nodes && graph_of_.size(0) == nodes, "the graphs do not end at the last node");
    return;
  }
  TORCH_CHECK(ptr_[0].item<std::int64_t>() == 0, "the first graph does not begin at node 0");
  TORCH_CHECK(ptr_[-1].item<std::int64_t>() == nodes, "the graphs do not end at the last node");
}

/// Row and column of each entry of an [n, k] matrix, both [n, k] int64.
std::pair<at::Tensor, at::Tensor> BlockDiagonal::entry_numbers(std::int64_t n, std::int64_t k) const {
  if (!switches_.device_indices)
    return {to_device(at::arange(n, at::kLong).repeat({k, 1}).t(), device_, host_.bytes),
            to_device(at::arange(k, at::kLong).repeat({n, 1}), device_, host_.bytes)};
  const auto integers = ptr_.options();
  return {at::arange(n, integers).repeat({k, 1}).t(), at::arange(k, integers).repeat({n, 1})};
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

at::Tensor BlockDiagonal::blocks(const at::Tensor& dense, std::int64_t columns) const {
  return dense.view({graphs_, -1, graphs_, columns}).diagonal(0, 0, 2).permute({2, 0, 1});
}

}  // namespace workloads::stgym
