// The sparse matrix that the published pooling layer writes its blocks into, and its index tensors.
#pragma once

#include "workloads/stgym/switches.hpp"

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
  std::int64_t scalar_bytes = 0;  // the number of clusters, which is no index
};

/// A tensor that was made on the host, on the device: a blocking copy from pageable memory. Adds to `bytes`.
at::Tensor to_device(const at::Tensor& made, at::Device device, std::int64_t& bytes);

/// Stacked blocks as the diagonal of a matrix, and back. N nodes, B graphs. Refers to what it is given.
class BlockDiagonal {
 public:
  /// `graph_of` [N] int64, ascending; `sizes` [B]: nodes of each graph, which explicit_sizes and the rungs
  /// above read.
  BlockDiagonal(const at::Tensor& graph_of, const std::vector<std::int64_t>& sizes, const Switches& switches,
                HostIndices& host_indices);

  std::int64_t graphs() const { return graphs_; }
  /// [B + 1] int64: where each graph's nodes begin.
  const at::Tensor& offsets() const { return ptr_; }
  /// [N, k] -> [N, B k] sparse COO: the rows of graph b move to columns b k .. b k + k - 1. Throws c10::Error
  /// where the graphs do not end at the last row.
  at::Tensor spread(const at::Tensor& stacked) const;
  /// The B blocks on the diagonal of a [B K, B columns] matrix: [B, K, columns].
  at::Tensor blocks(const at::Tensor& dense, std::int64_t columns) const;

 private:
  at::Tensor graph_offsets() const;
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

}  // namespace workloads::stgym
