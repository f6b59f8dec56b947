// From graph numbers to a batch: with neighbours searched on every access, as the published code does it, or
// once.
#pragma once

#include "workloads/stgym/data/dataset.hpp"
#include "workloads/stgym/train/batch.hpp"

#include <cstdint>
#include <vector>

namespace workloads::stgym {

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

/// One graph: its features (a view), and its edges and sparse adjacency from `built` or, without it, built
/// anew. The published code builds them on each access, in each epoch: a transform, not a pre-transform.
GraphItem fetch_graph(const Dataset& dataset, std::int64_t graph, const Neighbourhoods* built = nullptr);

/// The graphs of a batch.
std::vector<GraphItem> fetch_graphs(const Dataset& dataset, const std::vector<std::int64_t>& graphs,
                                    const Neighbourhoods* built = nullptr);

/// Several graphs joined.
Batch fetch_batch(const Dataset& dataset, const std::vector<std::int64_t>& graphs,
                  const Neighbourhoods* built = nullptr);

}  // namespace workloads::stgym
