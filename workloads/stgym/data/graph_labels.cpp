#include "workloads/stgym/data/graph_labels.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace workloads::stgym {

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

}  // namespace workloads::stgym
