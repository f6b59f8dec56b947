#include "workloads/stgym/train/fetch.hpp"

#include <ATen/ATen.h>

#include <utility>

namespace workloads::stgym {
namespace {

Neighbourhood neighbourhood(const Dataset& dataset, std::int64_t graph, at::Device device) {
  const auto edges = neighbour_edges(dataset, graph).to(device);
  return {edges, adjacency_of(edges, dataset.nodes(graph))};
}

}  // namespace

Neighbourhoods all_neighbourhoods(const Dataset& dataset, at::Device device) {
  Neighbourhoods all;
  for (std::int64_t graph = 0; graph < dataset.graphs(); ++graph)
    all.push_back(neighbourhood(dataset, graph, device));
  return all;
}

Dataset move_to(Dataset dataset, at::Device device) {
  dataset.x = dataset.x.to(device);
  dataset.y = dataset.y.to(device);
  dataset.position = dataset.position.to(device);
  return dataset;
}

GraphItem fetch_graph(const Dataset& dataset, std::int64_t graph, const Neighbourhoods* built) {
  const auto begin = dataset.offsets[static_cast<std::size_t>(graph)];
  const auto n = dataset.nodes(graph);
  const bool labels_graphs = dataset.task == Task::graph_classification;
  GraphItem item;
  item.x = dataset.x.narrow(0, begin, n);
  item.y = labels_graphs ? dataset.y.narrow(0, graph, 1) : dataset.y.narrow(0, begin, n);
  const auto found = built == nullptr ? neighbourhood(dataset, graph, dataset.x.device())
                                      : (*built)[static_cast<std::size_t>(graph)];
  item.edges = found.edges;
  item.adjacency = found.adjacency;
  return item;
}

std::vector<GraphItem> fetch_graphs(const Dataset& dataset, const std::vector<std::int64_t>& graphs,
                                    const Neighbourhoods* built) {
  std::vector<GraphItem> items;
  for (const auto graph : graphs) items.push_back(fetch_graph(dataset, graph, built));
  return items;
}

Batch fetch_batch(const Dataset& dataset, const std::vector<std::int64_t>& graphs,
                  const Neighbourhoods* built) {
  return join(fetch_graphs(dataset, graphs, built));
}

}  // namespace workloads::stgym
