// From graph numbers to a batch, as the published code does it on every access.
#pragma once

#include "workloads/stgym/batch.hpp"
#include "workloads/stgym/data/dataset.hpp"

#include <cstdint>
#include <vector>

namespace workloads::stgym {

/// The data set with features and labels moved to `device` as a whole, before training. Positions stay on the
/// host, where neighbours are searched.
Dataset move_to(Dataset dataset, at::Device device);

/// One graph: its features (a view), and its edges and sparse adjacency built anew. The published code does
/// so on each access, in each epoch: a transform, not a pre-transform.
GraphItem fetch_graph(const Dataset& dataset, std::int64_t graph);

/// Several graphs joined.
Batch fetch_batch(const Dataset& dataset, const std::vector<std::int64_t>& graphs);

}  // namespace workloads::stgym
