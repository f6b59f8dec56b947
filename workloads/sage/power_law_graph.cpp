#include "workloads/sage/power_law_graph.hpp"

#include "workloads/sage/fast_random.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>

namespace workloads::sage {
namespace {

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
