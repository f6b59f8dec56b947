#include "workloads/sage/csr_graph.hpp"

#include "workloads/sage/neighbour_choice.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>

namespace workloads::sage {
namespace {

/// Of ogbn-products, by the Open Graph Benchmark's page.
constexpr std::int64_t products_nodes = 2'449'029, products_edges = 61'859'140, products_training = 196'615;
constexpr std::int64_t products_features = 100, products_classes = 47;

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

std::int64_t scaled(std::int64_t count, double scale) {
  return std::max<std::int64_t>(2, std::llround(static_cast<double>(count) * scale));
}

/// Edges are drawn piece by piece, rows one by one, each by a seed of its own: threads draw the same.
constexpr std::int64_t edges_of_piece = 1 << 16;

Edges drawn_edges(std::int64_t nodes, std::int64_t count, std::uint64_t seed) {
  Edges edges;
  edges.one.resize(static_cast<std::size_t>(count));
  edges.other.resize(static_cast<std::size_t>(count));
  const auto pieces = (count + edges_of_piece - 1) / edges_of_piece;
  at::parallel_for(0, pieces, 1, [&](std::int64_t first, std::int64_t last) {
    for (auto piece = first; piece < last; ++piece) {
      FastRandom random(part_seed(seed, piece));
      const auto end = std::min(count, (piece + 1) * edges_of_piece);
      for (auto i = static_cast<std::size_t>(piece * edges_of_piece); i < static_cast<std::size_t>(end);
           ++i) {
        const auto u = random.share();
        edges.one[i] = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(nodes)));
        edges.other[i] = static_cast<std::int32_t>(static_cast<double>(nodes) * u * u);
      }
    }
  });
  return edges;
}

at::Tensor drawn_labels(std::int64_t nodes, std::uint64_t seed) {
  FastRandom random(seed);
  auto labels = at::empty({nodes}, at::kLong);
  auto* label = labels.mutable_data_ptr<std::int64_t>();
  for (std::int64_t v = 0; v < nodes; ++v) label[v] = random.below(products_classes);
  return labels;
}

/// The numbers of a matrix, each from -1 to 1.
at::Tensor drawn_numbers(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  auto matrix = at::empty({rows, columns}, at::kFloat);
  auto* data = matrix.mutable_data_ptr<float>();
  at::parallel_for(0, rows, 1, [&](std::int64_t first, std::int64_t last) {
    for (auto row = first; row < last; ++row) {
      FastRandom random(part_seed(seed, row));
      for (std::int64_t i = 0; i < columns; ++i)
        data[row * columns + i] = static_cast<float>(2 * random.share() - 1);
    }
  });
  return matrix;
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

Graph power_law_graph(double scale, std::uint64_t seed) {
  const auto nodes = scaled(products_nodes, scale);
  Graph graph{
      .source = "synthetic", .classes = products_classes, .training = scaled(products_training, scale)};
  graph.neighbours =
      neighbours_of(drawn_edges(nodes, scaled(products_edges, scale), part_seed(seed, 0)), nodes);
  graph.labels = drawn_labels(nodes, part_seed(seed, 1));
  graph.features = drawn_numbers(nodes, products_features, part_seed(seed, 2));
  graph.features +=
      drawn_numbers(products_classes, products_features, part_seed(seed, 3)).index_select(0, graph.labels);
  return graph;
}

}  // namespace workloads::sage
