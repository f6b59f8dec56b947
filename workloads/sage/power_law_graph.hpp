// A drawn graph with the statistics of ogbn-products.
#pragma once

#include "workloads/sage/csr_graph.hpp"

#include <cstdint>

namespace workloads::sage {

/// Of ogbn-products, by the Open Graph Benchmark's page.
constexpr std::int64_t products_nodes = 2'449'029, products_edges = 61'859'140, products_training = 196'615;
constexpr std::int64_t products_features = 100, products_classes = 47;

/// That many nodes and edges, times `scale`. One end of an edge is any node, the other end is node n u u for
/// a uniform u: degrees follow a power law. Few edges are drawn twice and kept once. A node's features are
/// noise around its label's.
Graph power_law_graph(double scale, std::uint64_t seed);

}  // namespace workloads::sage
