// What the model sees in one step: several graphs joined into one.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace workloads::stgym {

/// One graph as the data set hands it out, all on one device. `edges` holds both directions of every edge.
struct GraphItem {
  at::Tensor x;          // [n, F] float32
  at::Tensor y;          // [n] int64, or [1] where a whole graph is labelled
  at::Tensor edges;      // [2, E] int64
  at::Tensor adjacency;  // [n, n] sparse COO float32, one per edge
};

/// Graphs joined block-diagonally. N nodes, B graphs.
struct Batch {
  at::Tensor x;                          // [N, F] float32
  at::Tensor y;                          // [N] int64, or [B] where whole graphs are labelled
  at::Tensor edges;                      // [2, E] int64
  at::Tensor adjacency;                  // [N, N] sparse COO float32, coalesced
  at::Tensor graph_of;                   // [N] int64: the graph that a node belongs to, ascending
  std::vector<std::int64_t> sizes = {};  // [B]: nodes of each graph, on the host
};

/// The sparse adjacency of one graph of n nodes.
at::Tensor adjacency_of(const at::Tensor& edges, std::int64_t n);

/// Joins graphs: features are copied, node numbers shifted.
Batch join(const std::vector<GraphItem>& graphs);

}  // namespace workloads::stgym
