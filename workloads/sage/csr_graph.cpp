#include "workloads/sage/csr_graph.hpp"

#include <ATen/Parallel.h>

#include <algorithm>

namespace workloads::sage {
namespace {

/// Calls `part` with ranges of nodes, one a thread: each thread reads all edges and writes what is of its own
/// nodes, so that none waits for another and lists do not depend on their number.
template <class Part>
void by_thread(std::int64_t nodes, const Part& part) {
  const auto threads = at::get_num_threads();
  at::parallel_for(0, nodes, (nodes + threads - 1) / threads, part);
}

/// Calls `found` with both directions of each edge that begin in the range, loops left out.
template <class Found>
void each_from(const Edges& edges, std::int64_t begin, std::int64_t end, const Found& found) {
  for (std::size_t i = 0; i < edges.one.size(); ++i) {
    const auto one = edges.one[i], other = edges.other[i];
    if (one == other) continue;
    if (one >= begin && one < end) found(static_cast<std::size_t>(one), other);
    if (other >= begin && other < end) found(static_cast<std::size_t>(other), one);
  }
}

/// Where each node's entries begin: counts added up.
std::vector<std::int64_t> offsets_of(const Edges& edges, std::int64_t nodes) {
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(nodes) + 1, 0);
  by_thread(nodes, [&](std::int64_t begin, std::int64_t end) {
    each_from(edges, begin, end, [&](std::size_t node, std::int32_t /*neighbour*/) { ++offsets[node + 1]; });
  });
  for (std::size_t v = 0; v + 1 < offsets.size(); ++v) offsets[v + 1] += offsets[v];
  return offsets;
}

/// Sorts each node's entries and moves those that stand twice to the end; returns how many stay.
std::vector<std::int64_t> keep_each_once(Neighbours& all) {
  std::vector<std::int64_t> kept(static_cast<std::size_t>(all.size()));
  auto* const data = all.nodes.data();
  by_thread(all.size(), [&](std::int64_t first, std::int64_t last) {
    for (auto v = static_cast<std::size_t>(first); v < static_cast<std::size_t>(last); ++v) {
      auto* const begin = data + all.offsets[v];
      auto* const end = data + all.offsets[v + 1];
      std::sort(begin, end);
      kept[v] = std::unique(begin, end) - begin;
    }
  });
  return kept;
}

/// Closes the gaps behind the entries that stay.
void close_gaps(Neighbours& all, const std::vector<std::int64_t>& kept) {
  auto* const data = all.nodes.data();
  std::int64_t end = 0;
  for (std::size_t v = 0; v < kept.size(); ++v) {
    const auto* const begin = data + all.offsets[v];
    all.offsets[v] = end;
    end = std::copy(begin, begin + kept[v], data + end) - data;
  }
  all.offsets.back() = end;
  all.nodes.resize(static_cast<std::size_t>(end));
}

}  // namespace

Neighbours neighbours_of(const Edges& edges, std::int64_t nodes) {
  Neighbours all{.offsets = offsets_of(edges, nodes), .nodes = {}};
  all.nodes.resize(static_cast<std::size_t>(all.offsets.back()));
  auto next = all.offsets;
  by_thread(nodes, [&](std::int64_t begin, std::int64_t end) {
    each_from(edges, begin, end, [&](std::size_t node, std::int32_t neighbour) {
      all.nodes[static_cast<std::size_t>(next[node]++)] = neighbour;
    });
  });
  close_gaps(all, keep_each_once(all));
  return all;
}

}  // namespace workloads::sage
