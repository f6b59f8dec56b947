#include "workloads/stgym/fetch.hpp"

#include <ATen/ATen.h>

#include <utility>

namespace workloads::stgym {

Dataset move_to(Dataset dataset, at::Device device) {
  dataset.x = dataset.x.to(device);
  dataset.y = dataset.y.to(device);
  return dataset;
}

GraphItem fetch_graph(const Dataset& dataset, std::int64_t graph) {
  const auto begin = dataset.offsets[static_cast<std::size_t>(graph)];
  const auto n = dataset.nodes(graph);
  const bool labels_graphs = dataset.task == Task::graph_classification;
  GraphItem item;
  item.x = dataset.x.narrow(0, begin, n);
  item.y = labels_graphs ? dataset.y.narrow(0, graph, 1) : dataset.y.narrow(0, begin, n);
  item.edges = neighbour_edges(dataset, graph).to(dataset.x.device());
  item.adjacency = adjacency_of(item.edges, n);
  return item;
}

Batch fetch_batch(const Dataset& dataset, const std::vector<std::int64_t>& graphs) {
  std::vector<GraphItem> items;
  for (const auto graph : graphs) items.push_back(fetch_graph(dataset, graph));
  return join(items);
}

}  // namespace workloads::stgym
