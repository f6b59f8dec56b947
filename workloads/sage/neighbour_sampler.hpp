// The part of a graph that a batch reads: its seeds, some of their neighbours, some of these ones'.
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

}  // namespace workloads::sage
