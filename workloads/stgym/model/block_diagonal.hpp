// The sparse matrix that the published pooling layer writes its blocks into, and its index tensors.
#pragma once

#include "workloads/stgym/space/stgym_switches.hpp"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace workloads::stgym {

/// Bytes of tensors that were made on the host for a device, counted where they are made. On a GPU each of
/// them is a copy from pageable memory; without one the same tensors are made and nothing moves.
struct HostIndices {
  std::int64_t bytes = 0;         // the [n, k] index tensors: 4,416 bytes a node in naive
  std::int64_t small_bytes = 0;   // index tensors of a few numbers
  std::int64_t scalar_bytes = 0;  // the number of clusters, which is not an index
};

/// A tensor that was made on the host, on the device: a blocking copy from pageable memory. Adds to `bytes`.
at::Tensor to_device(const at::Tensor& made, at::Device device, std::int64_t& bytes);

/// [B + 1] int64: where each graph's nodes begin, from the graph of each node (ascending). `graphs` is B,
/// which explicit_sizes reads. Throws c10::Error where a graph has no nodes, if the host checks it.
at::Tensor graph_offsets(const at::Tensor& graph_of, std::int64_t graphs, const Switches& switches,
                         HostIndices& host_indices);

/// Stacked blocks as the diagonal of a matrix. N nodes, B graphs. Refers to what it is given.
class BlockDiagonal {
 public:
  /// `graph_of` [N] int64, ascending; `sizes` [B]: nodes of each graph, which explicit_sizes and the rungs
  /// above read.
  BlockDiagonal(const at::Tensor& graph_of, const std::vector<std::int64_t>& sizes, const Switches& switches,
                HostIndices& host_indices);

  std::int64_t graphs() const { return graphs_; }
  /// [B] int64.
  at::Tensor nodes_of_graphs() const;
  /// [N, k] -> [N, B k] sparse COO: the rows of graph b move to columns b k .. b k + k - 1. Not coalesced, as
  /// published, unless the sizes are given. Throws c10::Error where the graphs do not end at the last row.
  at::Tensor spread(const at::Tensor& stacked) const;

 private:
  void check_offsets(std::int64_t nodes) const;
  std::pair<at::Tensor, at::Tensor> entry_numbers(std::int64_t n, std::int64_t k) const;
  at::Tensor block_starts(std::int64_t k) const;

  const at::Tensor& graph_of_;
  const std::vector<std::int64_t>& sizes_;
  const Switches& switches_;
  HostIndices& host_;
  at::Device device_;
  at::Tensor ptr_;
  std::int64_t graphs_;
};

/// 1 / x in the operators that Python's has: a reciprocal, and a product with 1.
at::Tensor one_over(const at::Tensor& x);

/// [n] -> [n, n] sparse COO with the values on its diagonal. `places` [2, n] holds 0 .. n - 1 twice.
at::Tensor diagonal_matrix(const at::Tensor& places, const at::Tensor& values, const Switches& switches);

}  // namespace workloads::stgym
