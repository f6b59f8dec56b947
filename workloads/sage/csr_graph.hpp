// One large graph with its features and labels, as a training on the host reads it; and a drawn one with
// the statistics of ogbn-products.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

namespace workloads::sage {

/// The neighbours of node v, in ascending order, lie from offsets[v] to offsets[v + 1].
struct Neighbours {
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> nodes;

  std::int64_t size() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
  std::int64_t degree(std::int64_t node) const {
    return offsets[static_cast<std::size_t>(node) + 1] - offsets[static_cast<std::size_t>(node)];
  }
};

/// Edge i leads from one[i] to other[i].
struct Edges {
  std::vector<std::int32_t> one, other;
};

/// Both directions of each edge once, without loops.
Neighbours neighbours_of(const Edges& edges, std::int64_t nodes);

struct Graph {
  std::string source;  // for messages: a folder, or "synthetic"
  Neighbours neighbours = {};
  at::Tensor features = {};  // [nodes, features], FP32, on the host
  at::Tensor labels = {};    // [nodes], int64, on the host
  std::int64_t classes = 0;
  std::int64_t training = 0;  // so many nodes are learned from, the first ones
};

/// That many nodes and edges, times `scale`. One end of an edge is any node, the other end is node n u u for
/// a uniform u: degrees follow a power law. Few edges are drawn twice and kept once. A node's features are
/// noise around its label's.
Graph power_law_graph(double scale, std::uint64_t seed);

}  // namespace workloads::sage
