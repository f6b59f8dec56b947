#include "workloads/stgym/data/graph_dataset.hpp"

#include "workloads/stgym/data/cell_file.hpp"
#include "workloads/stgym/data/csv.hpp"
#include "workloads/stgym/data/nearest_nodes.hpp"
#include "workloads/stgym/data/read_cells.hpp"
#include "workloads/stgym/data/synthetic.hpp"
#include "workloads/stgym/space/config_option.hpp"
#include "workloads/stgym/space/configuration.hpp"
#include "workloads/stgym/space/data_option.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace workloads::stgym {
namespace {

/// Labels each graph by the mean class number of its nodes: the graphs in the order of that mean, in
/// `classes` parts of equal size. A label that a model can learn from features, since classes depend on them.
void label_graphs(Dataset& dataset, std::int64_t classes) {
  const auto* label = dataset.y.const_data_ptr<std::int64_t>();
  std::vector<std::pair<double, std::int64_t>> order;  // mean class number, graph
  for (std::int64_t graph = 0; graph < dataset.graphs(); ++graph) {
    const auto begin = dataset.offsets[static_cast<std::size_t>(graph)];
    std::int64_t sum = 0;
    for (auto node = begin; node < begin + dataset.nodes(graph); ++node) sum += label[node];
    order.emplace_back(static_cast<double>(sum) / static_cast<double>(dataset.nodes(graph)), graph);
  }
  std::ranges::sort(order);
  auto labels = at::empty({dataset.graphs()}, at::kLong);
  auto* const made = labels.mutable_data_ptr<std::int64_t>();
  for (std::int64_t rank = 0; rank < dataset.graphs(); ++rank)
    made[order[static_cast<std::size_t>(rank)].second] = rank * classes / dataset.graphs();
  dataset.y = labels;
  dataset.classes = classes;
  dataset.task = Task::graph_classification;
}

/// The neighbour rule and, for a classification of graphs whose nodes are labelled, labels of graphs.
/// `radius` is left as it is.
void configure(Dataset& dataset, const space::Configuration& configuration) {
  const auto& loader = configuration.data_loader;
  if (loader.graph_const == space::GraphConstruction::radius)
    dataset.rule = {.kind = NeighbourRule::Kind::radius, .radius_ratio = loader.radius_ratio};
  else
    dataset.rule = {.kind = NeighbourRule::Kind::knn, .k = static_cast<int>(loader.knn_k)};
  const bool of_graphs = configuration.task.type == space::TaskType::graph_classification;
  if (of_graphs && dataset.task == Task::node_classification)
    label_graphs(dataset, configuration.task.num_classes);
}

constexpr std::size_t most_radius_neighbours = 32;

/// x and y of the graph's nodes in turn.
std::span<const float> positions(const Dataset& dataset, std::int64_t graph) {
  const auto offset = dataset.offsets[static_cast<std::size_t>(graph)];
  return {dataset.position.const_data_ptr<float>() + 2 * offset,
          static_cast<std::size_t>(2 * dataset.nodes(graph))};
}

/// The larger of the extents in x and y.
double span_of(std::span<const float> xy) {
  double least[] = {xy[0], xy[1]};
  double largest[] = {xy[0], xy[1]};
  for (std::size_t i = 0; i < xy.size(); ++i) {
    least[i % 2] = std::min<double>(least[i % 2], xy[i]);
    largest[i % 2] = std::max<double>(largest[i % 2], xy[i]);
  }
  return std::max(largest[0] - least[0], largest[1] - least[1]);
}

void resolve_radius(Dataset& dataset) {
  if (dataset.rule.kind != NeighbourRule::Kind::radius) return;
  double least = std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::int64_t graph = 0; graph < dataset.graphs(); ++graph) {
    const auto span = span_of(positions(dataset, graph));
    least = std::min(least, span);
    largest = std::max(largest, span);
  }
  dataset.radius = dataset.rule.radius_ratio * (largest - least);
}

void require_edges(const Dataset& dataset) {
  for (std::int64_t graph = 0; graph < dataset.graphs(); ++graph)
    if (neighbour_edges(dataset, graph).size(1) > 0) return;
  const auto rule = dataset.rule.kind == NeighbourRule::Kind::radius
                        ? fmt::format("within the radius of {:.6g}", dataset.radius)
                        : std::string("because each has only one node");
  throw harness::BadInput(
      fmt::format("{}: none of the {} graphs has an edge {}", dataset.source, dataset.graphs(), rule));
}

Dataset from_file(const space::DataOption& data) {
  return read_cells(data.file, *std::ranges::find(layouts(), data.name, &Layout::name));
}

}  // namespace

Dataset load_dataset(const harness::Options& options, std::uint64_t seed) {
  const auto data = space::data_option(options);
  const auto scale = space::scale_option(options);
  auto dataset = data.file.empty() ? make_synthetic(scale, seed) : from_file(data);
  if (const auto configuration = space::configuration_in(options)) configure(dataset, *configuration);
  resolve_radius(dataset);
  require_edges(dataset);
  return dataset;
}

at::Tensor neighbour_edges(const Dataset& dataset, std::int64_t graph) {
  const auto& rule = dataset.rule;
  const bool by_radius = rule.kind == NeighbourRule::Kind::radius;
  const auto limit = by_radius ? most_radius_neighbours : static_cast<std::size_t>(rule.k);
  const auto radius = by_radius ? dataset.radius : std::numeric_limits<double>::infinity();
  if (dataset.position.is_cuda()) {
    const auto begin = dataset.offsets[static_cast<std::size_t>(graph)];
    return edges_on_device(dataset.position.narrow(0, begin, dataset.nodes(graph)),
                           static_cast<std::int64_t>(limit), radius);
  }
  const auto xy = positions(dataset, graph);
  const auto neighbours = find_neighbours(xy, limit, radius);

  // A counting sort: how many edges leave each node says where each node's edges begin.
  const auto nodes = xy.size() / 2;
  std::vector<std::size_t> place(nodes + 1, 0);
  for (const auto from : neighbours.index) ++place[static_cast<std::size_t>(from) + 1];
  for (std::size_t node = 0; node < nodes; ++node) place[node + 1] += place[node];
  const auto edges = neighbours.index.size();
  auto result = at::empty({2, static_cast<std::int64_t>(edges)}, at::kLong);
  auto* row = result.mutable_data_ptr<std::int64_t>();
  for (std::size_t to = 0; to < nodes; ++to)
    for (auto i = neighbours.start[to]; i < neighbours.start[to + 1]; ++i) {
      const auto from = neighbours.index[i];
      const auto at = place[static_cast<std::size_t>(from)]++;
      row[at] = from;
      row[edges + at] = static_cast<std::int64_t>(to);
    }
  return result;
}

}  // namespace workloads::stgym
