// What the model sees in one step, several graphs joined into one; and the way there from graph numbers, with
// neighbours searched on every access, as the published code does it, or once.
#pragma once

#include "workloads/stgym/data/graph_dataset.hpp"

namespace workloads::stgym {

/// One graph as the data set hands it out, all on one device. `edges` holds both directions of every edge.
struct GraphItem {
  at::Tensor x;          // [n, F] float32
  at::Tensor y;          // [n] int64, or [1] where a whole graph is labelled
  at::Tensor edges;      // [2, E] int64
  at::Tensor adjacency;  // [n, n] sparse COO float32, one per edge
};

/// Who is whose neighbour in a whole data set of R rows, in rows' numbers; every edge in both directions.
struct ResidentNeighbours {
  at::Tensor begin;   // [R + 1] int64: where a row's neighbours begin
  at::Tensor end;     // [E] int64
  at::Tensor weight;  // [E] float32
  at::Tensor degree;  // [R] float32: sum of a row's weights
};

/// Graphs joined block-diagonally. N nodes, B graphs. Or, where `rows` is defined, a list of rows of the data
/// set: then `edges`, `adjacency` and `graph_of` are undefined, and what stands behind `rows` is not.
struct Batch {
  at::Tensor x;                          // [N, F] float32; with `rows` the data set's
  at::Tensor y;                          // [N] int64, or [B] where whole graphs are labelled
  at::Tensor edges;                      // [2, E] int64
  at::Tensor adjacency;                  // [N, N] sparse COO float32, coalesced
  at::Tensor graph_of;                   // [N] int64: the graph that a node belongs to, ascending
  std::vector<std::int64_t> sizes = {};  // [B]: nodes of each graph, on the host
  at::Tensor rows = {};                  // [N] int64: where a node's features lie in x; -1: padding
  at::Tensor offsets = {};               // [B + 1] int64: where each graph's nodes begin
  at::Tensor degree = {};                // [N] float32: column sums of the adjacency
  std::shared_ptr<const ResidentNeighbours> neighbours = {};
  /// Rows of x in order, in several places; then x is undefined. Empty: x has them.
  std::vector<at::Tensor> parts = {};
};

/// The sparse adjacency of one graph of n nodes.
at::Tensor adjacency_of(const at::Tensor& edges, std::int64_t n);

/// Joins graphs: features are copied, node numbers shifted.
Batch join(const std::vector<GraphItem>& graphs);
/// The same with the features where they lie, as `Batch::parts`. Small graphs are copied together until they
/// have so many rows that their product takes longer than the copy saves.
Batch line_up(const std::vector<GraphItem>& graphs);

/// The data set moved to `device` as a whole, before training. Neighbours are then searched there, as in the
/// published code.
Dataset move_to(Dataset dataset, at::Device device);

/// Who is whose neighbour in one graph of n nodes, on the device of the features.
struct Neighbourhood {
  at::Tensor edges;      // [2, E] int64
  at::Tensor adjacency;  // [n, n] sparse COO float32, coalesced
};
using Neighbourhoods = std::vector<Neighbourhood>;

/// Searches the neighbours of every graph and keeps them on `device`.
Neighbourhoods all_neighbourhoods(const Dataset& dataset, at::Device device);

/// The graphs of a batch.
std::vector<GraphItem> fetch_graphs(const Dataset& dataset, const std::vector<std::int64_t>& graphs,
                                    const Neighbourhoods* built = nullptr);

/// Several graphs joined.
Batch fetch_batch(const Dataset& dataset, const std::vector<std::int64_t>& graphs,
                  const Neighbourhoods* built = nullptr);

}  // namespace workloads::stgym
