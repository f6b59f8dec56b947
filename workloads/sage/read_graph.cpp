#include "workloads/sage/read_graph.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/read_text.hpp"

#include "workloads/sage/number_table.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <limits>

namespace workloads::sage {
namespace {

using harness::BadInput;

constexpr std::int64_t most_nodes = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t most_classes = 100'000;

std::int32_t node_of(std::int64_t number, std::int64_t nodes, const NumberTable& table, std::int64_t row) {
  if (number < 0 || number >= nodes)
    throw BadInput(fmt::format("{}: node {} is not one of 0 to {}", table.place(row), number, nodes - 1));
  return static_cast<std::int32_t>(number);
}

Edges edges_of(NumberTable table, std::int64_t nodes) {
  if (!table.is_csv && table.numbers.size(0) == 2) table.numbers = table.numbers.t().contiguous();
  if (table.numbers.size(1) != 2)
    throw BadInput(fmt::format("{}: edges have two ends, and a row has {} numbers", table.file.string(),
                               table.numbers.size(1)));
  Edges edges;
  const auto* ends = table.numbers.const_data_ptr<std::int64_t>();
  for (std::int64_t row = 0; row < table.numbers.size(0); ++row) {
    edges.one.push_back(node_of(ends[2 * row], nodes, table, row));
    edges.other.push_back(node_of(ends[2 * row + 1], nodes, table, row));
  }
  return edges;
}

/// One a node, from 0.
at::Tensor labels_of(const NumberTable& table, const NumberTable& features) {
  if (table.numbers.size(0) != features.numbers.size(0) || table.numbers.size(1) != 1)
    throw BadInput(fmt::format("{}: {} x {} labels do not fit the {} nodes of {}", table.file.string(),
                               table.numbers.size(0), table.numbers.size(1), features.numbers.size(0),
                               features.file.string()));
  const auto* labels = table.numbers.const_data_ptr<std::int64_t>();
  for (std::int64_t row = 0; row < table.numbers.size(0); ++row)
    if (labels[row] < 0 || labels[row] >= most_classes)
      throw BadInput(fmt::format("{}: the label {} is not one of 0 to {}", table.place(row), labels[row],
                                 most_classes - 1));
  return table.numbers.view(-1);
}

void check_finite(const NumberTable& table) {
  const auto bad = at::isfinite(table.numbers).all(1).logical_not().nonzero();
  if (bad.numel() > 0)
    throw BadInput(fmt::format("{}: a feature is not finite", table.place(bad[0].item<std::int64_t>())));
}

}  // namespace

Graph read_graph(const std::filesystem::path& folder) {
  harness::require_folder(folder);
  const auto features = read_numbers(folder, "node-feat", at::kFloat);
  check_finite(features);
  const auto nodes = features.numbers.size(0);
  if (nodes > most_nodes)
    throw BadInput(fmt::format("{}: {} nodes are more than {}", features.file.string(), nodes, most_nodes));
  Graph graph{.source = folder.string(), .features = features.numbers};
  graph.labels = labels_of(read_numbers(folder, "node-label", at::kLong), features);
  graph.classes = graph.labels.max().item<std::int64_t>() + 1;
  graph.training = nodes * 9 / 10;
  graph.neighbours = neighbours_of(edges_of(read_numbers(folder, "edge", at::kLong), nodes), nodes);
  return graph;
}

}  // namespace workloads::sage
