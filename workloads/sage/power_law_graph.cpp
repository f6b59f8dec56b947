#include "workloads/sage/power_law_graph.hpp"

#include "workloads/sage/fast_random.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace workloads::sage {
namespace {

std::int64_t scaled(std::int64_t count, double scale) {
  return std::max<std::int64_t>(2, std::llround(static_cast<double>(count) * scale));
}

Edges drawn_edges(std::int64_t nodes, std::int64_t count, FastRandom& random) {
  Edges edges;
  edges.one.resize(static_cast<std::size_t>(count));
  edges.other.resize(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < edges.one.size(); ++i) {
    const auto u = random.share();
    edges.one[i] = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(nodes)));
    edges.other[i] = static_cast<std::int32_t>(static_cast<double>(nodes) * u * u);
  }
  return edges;
}

/// The numbers of a matrix, each from -1 to 1.
at::Tensor drawn_numbers(std::int64_t rows, std::int64_t columns, FastRandom& random) {
  auto matrix = at::empty({rows, columns}, at::kFloat);
  auto* data = matrix.mutable_data_ptr<float>();
  for (std::int64_t i = 0; i < matrix.numel(); ++i) data[i] = static_cast<float>(2 * random.share() - 1);
  return matrix;
}

/// Adds its label's row to each node's.
void add_label_rows(const at::Tensor& features, const at::Tensor& labels, const at::Tensor& rows) {
  const auto columns = features.size(1);
  auto* data = features.mutable_data_ptr<float>();
  const auto* of_label = rows.const_data_ptr<float>();
  const auto* label = labels.const_data_ptr<std::int64_t>();
  for (std::int64_t v = 0; v < features.size(0); ++v)
    for (std::int64_t i = 0; i < columns; ++i) data[v * columns + i] += of_label[label[v] * columns + i];
}

}  // namespace

Graph power_law_graph(double scale, std::uint64_t seed) {
  FastRandom random(seed);
  const auto nodes = scaled(products_nodes, scale);
  Graph graph{
      .source = "synthetic", .classes = products_classes, .training = scaled(products_training, scale)};
  graph.neighbours = neighbours_of(drawn_edges(nodes, scaled(products_edges, scale), random), nodes);
  graph.labels = at::empty({nodes}, at::kLong);
  auto* label = graph.labels.mutable_data_ptr<std::int64_t>();
  for (std::int64_t v = 0; v < nodes; ++v) label[v] = random.below(products_classes);
  graph.features = drawn_numbers(nodes, products_features, random);
  add_label_rows(graph.features, graph.labels, drawn_numbers(products_classes, products_features, random));
  return graph;
}

}  // namespace workloads::sage
