// Samples that all have the same sizes: what a captured step is replayed on.
#pragma once

#include "workloads/sage/csr_graph.hpp"
#include "workloads/sage/neighbour_sampler.hpp"

namespace workloads::sage {

/// How many nodes and edges of each hop a padded sample has.
struct Room {
  std::vector<std::int64_t> nodes, edges;
};

/// A sixteenth more than the largest of some batches of the first `training` nodes has, and one more.
Room room_for(const Neighbours& graph, std::int64_t training, std::int64_t batch_size,
              std::span<const std::int64_t> fan_outs);

/// With room for a node of padding in each hop.
bool fits(const Sampled& sample, const Room& room);

/// The sample with padding behind each hop's nodes and each hop's edges. Edges of padding lead from padding
/// to padding, evenly, so that no node of the sample changes; nodes of padding are the first seed again.
Sampled padded(const Sampled& sample, const Room& room);

}  // namespace workloads::sage
