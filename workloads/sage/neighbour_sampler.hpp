// The part of a graph that a batch reads: its seeds, some of their neighbours, some of these ones'; and
// samples that all have the same sizes: what a captured step is replayed on.
#pragma once

#include "workloads/sage/csr_graph.hpp"

#include <limits>
#include <span>

namespace workloads::sage {

/// As a fan-out: each neighbour.
constexpr std::int64_t all_neighbours = std::numeric_limits<std::int64_t>::max();

/// Nodes have numbers of their own, in order of discovery: first the seeds. The edges that lead into node t
/// lie from offsets[t] to offsets[t + 1]; nodes of the last hop have none.
struct Sampled {
  std::vector<std::int64_t> nodes;         // in the graph
  std::vector<std::int64_t> sources;       // of the edges, by own number
  std::vector<std::int64_t> offsets;       // of all nodes, and the end
  std::vector<std::int64_t> nodes_by_hop;  // seeds, then new ones of each hop
  std::vector<std::int64_t> edges_by_hop;
};

/// In each hop every node found in the one before gets min(degree, fan-out) different neighbours, each set of
/// that size with equal probability. The same seed gives the same sample on any thread.
Sampled sample(const Neighbours& graph, std::span<const std::int64_t> seeds,
               std::span<const std::int64_t> fan_outs, std::uint64_t seed);

/// The seed of a batch's sample: another one for each batch of each epoch.
std::uint64_t batch_seed(std::uint64_t seed, std::int64_t epoch, std::int64_t batch);

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
