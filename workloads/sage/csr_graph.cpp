#include "workloads/sage/csr_graph.hpp"

#include <algorithm>

namespace workloads::sage {
namespace {

/// Where each node's entries begin: counts added up.
std::vector<std::int64_t> offsets_of(const Edges& edges, std::int64_t nodes) {
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(nodes) + 1, 0);
  for (std::size_t i = 0; i < edges.one.size(); ++i) {
    if (edges.one[i] == edges.other[i]) continue;
    ++offsets[static_cast<std::size_t>(edges.one[i]) + 1];
    ++offsets[static_cast<std::size_t>(edges.other[i]) + 1];
  }
  for (std::size_t v = 0; v + 1 < offsets.size(); ++v) offsets[v + 1] += offsets[v];
  return offsets;
}

/// Sorts each node's entries, keeps each once, and closes the gaps.
void keep_each_once(Neighbours& all) {
  auto* const data = all.nodes.data();
  std::int64_t kept = 0, begin = 0;
  for (std::size_t v = 0; v + 1 < all.offsets.size(); ++v) {
    const auto end = all.offsets[v + 1];
    std::sort(data + begin, data + end);
    kept = std::unique_copy(data + begin, data + end, data + kept) - data;
    begin = end;
    all.offsets[v + 1] = kept;
  }
  all.nodes.resize(static_cast<std::size_t>(kept));
}

}  // namespace

Neighbours neighbours_of(const Edges& edges, std::int64_t nodes) {
  Neighbours all{.offsets = offsets_of(edges, nodes), .nodes = {}};
  all.nodes.resize(static_cast<std::size_t>(all.offsets.back()));
  auto next = all.offsets;
  const auto add = [&](std::int32_t at, std::int32_t neighbour) {
    all.nodes[static_cast<std::size_t>(next[static_cast<std::size_t>(at)]++)] = neighbour;
  };
  for (std::size_t i = 0; i < edges.one.size(); ++i) {
    if (edges.one[i] == edges.other[i]) continue;
    add(edges.one[i], edges.other[i]);
    add(edges.other[i], edges.one[i]);
  }
  keep_each_once(all);
  return all;
}

}  // namespace workloads::sage
