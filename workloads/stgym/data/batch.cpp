#include "workloads/stgym/data/batch.hpp"

#include <ATen/ATen.h>

#include <utility>

namespace workloads::stgym {
namespace {

/// Indices of all blocks, each shifted by the nodes before it.
at::Tensor shifted(const std::vector<at::Tensor>& indices, const std::vector<GraphItem>& graphs) {
  std::vector<at::Tensor> pieces;
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    pieces.push_back(indices[i] + offset);
    offset += graphs[i].x.size(0);
  }
  return at::cat(pieces, 1);
}

Neighbourhood neighbourhood(const Dataset& dataset, std::int64_t graph, at::Device device) {
  const auto edges = neighbour_edges(dataset, graph).to(device);
  return {edges, adjacency_of(edges, dataset.nodes(graph))};
}

/// Everything but the features.
Batch joined_edges(const std::vector<GraphItem>& graphs) {
  std::vector<at::Tensor> y, graph_of, edges, places, weights;
  std::vector<std::int64_t> sizes;
  std::int64_t nodes = 0;
  for (const auto& graph : graphs) {
    const auto n = graph.x.size(0);
    y.push_back(graph.y);
    graph_of.push_back(at::full({n}, static_cast<std::int64_t>(y.size()) - 1, graph.edges.options()));
    edges.push_back(graph.edges);
    places.push_back(graph.adjacency.indices());
    weights.push_back(graph.adjacency.values());
    sizes.push_back(n);
    nodes += n;
  }
  // Blocks in order, each coalesced: the whole is coalesced too, and saying so saves a sort.
  const auto adjacency =
      at::_coalesced(at::sparse_coo_tensor(shifted(places, graphs), at::cat(weights), {nodes, nodes}), true);
  return {{}, at::cat(y), shifted(edges, graphs), adjacency, at::cat(graph_of), sizes};
}

/// One graph: its features (a view), and its edges and sparse adjacency from `built` or, without it, built
/// anew. The published code builds them on each access, in each epoch: a transform, not a pre-transform.
GraphItem fetch_graph(const Dataset& dataset, std::int64_t graph, const Neighbourhoods* built = nullptr) {
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

}  // namespace

at::Tensor adjacency_of(const at::Tensor& edges, std::int64_t n) {
  const auto ones = at::ones({edges.size(1)}, edges.options().dtype(at::kFloat));
  return at::sparse_coo_tensor(edges, ones, {n, n}).coalesce();
}

Batch join(const std::vector<GraphItem>& graphs) {
  std::vector<at::Tensor> x;
  for (const auto& graph : graphs) x.push_back(graph.x);
  auto batch = joined_edges(graphs);
  batch.x = at::cat(x);
  return batch;
}

Batch line_up(const std::vector<GraphItem>& graphs) {
  constexpr std::int64_t fewest_rows = 256;
  auto batch = joined_edges(graphs);
  std::vector<at::Tensor> together;
  std::int64_t rows = 0;
  for (const auto& graph : graphs) {
    together.push_back(graph.x);
    rows += graph.x.size(0);
    if (rows < fewest_rows && &graph != &graphs.back()) continue;
    batch.parts.push_back(together.size() == 1 ? together.front() : at::cat(together));
    together.clear();
    rows = 0;
  }
  return batch;
}

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
