#include "workloads/stgym/train/padded_batch.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <bit>
#include <iterator>

namespace workloads::stgym {
namespace {

constexpr std::int64_t ignored_label = -100;  // nll_loss leaves it out
constexpr std::int64_t node_step = 4096;
constexpr std::uint64_t fewest_edges = 1024;

std::int64_t edges_in(const GraphItem& graph) {
  return std::max(graph.edges.size(1), graph.adjacency.indices().size(1));
}

bool labels_graphs(const std::vector<GraphItem>& graphs) {
  return std::ranges::any_of(graphs, [](const auto& graph) { return graph.y.size(0) != graph.x.size(0); });
}

/// Writes the parts one after the other into the begin of `whole`, along dimension `dim`; gives back the
/// rest.
at::Tensor put(const at::Tensor& whole, const std::vector<at::Tensor>& parts, std::int64_t dim) {
  std::int64_t length = 0;
  for (const auto& part : parts) length += part.size(dim);
  TORCH_CHECK(length <= whole.size(dim), "the batch is larger than its bucket");
  auto begin = whole.narrow(dim, 0, length);
  at::cat_out(begin, parts, dim);
  return whole.narrow(dim, length, whole.size(dim) - length);
}

/// Edges [2, E] from padding nodes to themselves, evenly: on a device, where each adds to its node by an
/// atomic, edges to a single node would wait for each other.
void fill_with_loops(const at::Tensor& edges, std::int64_t first, std::int64_t nodes) {
  edges.copy_(at::arange(edges.size(1), edges.options()).remainder_(nodes).add_(first));
}

}  // namespace

Bucket smallest_bucket(const Bucket& needed) {
  const auto room = std::max(fewest_edges, static_cast<std::uint64_t>(needed.edges));
  return {needed.graphs, (needed.nodes / node_step + 1) * node_step,
          static_cast<std::int64_t>(std::bit_ceil(room))};
}

Bucket bucket_for(const std::vector<GraphItem>& graphs) {
  Bucket needed{std::ssize(graphs), 0, 0};
  for (const auto& graph : graphs) {
    needed.nodes += graph.x.size(0);
    needed.edges += edges_in(graph);
  }
  return smallest_bucket(needed);
}

PaddedBatch::PaddedBatch(const Bucket& bucket, const std::vector<GraphItem>& first) : bucket_(bucket) {
  const auto n = bucket.nodes;
  const auto& x = first.front().x;
  const auto integers = first.front().edges.options();
  batch_.x = at::empty({n, x.size(1)}, x.options());
  batch_.y = at::empty({labels_graphs(first) ? bucket.graphs : n}, integers);
  batch_.edges = at::empty({2, bucket.edges}, integers);
  // It says coalesced though the padding's edges may repeat: nobody looks an edge up.
  batch_.adjacency = at::_sparse_coo_tensor_unsafe(at::zeros({2, bucket.edges}, integers),
                                                   at::zeros({bucket.edges}, x.options()), {n, n}, {}, {}, {},
                                                   {}, /*is_coalesced=*/true);
  batch_.graph_of = at::empty({n}, integers);
  for (const auto& graph : first) batch_.sizes.push_back(graph.x.size(0));
  fill(first);
}

void PaddedBatch::fill(const std::vector<GraphItem>& graphs) {
  TORCH_CHECK(std::ssize(graphs) == bucket_.graphs, "the bucket is for another number of graphs");
  std::vector<at::Tensor> x, y, graph_of, edges, places, weights;
  std::int64_t nodes = 0;
  for (const auto& graph : graphs) {
    x.push_back(graph.x);
    y.push_back(graph.y);
    graph_of.push_back(at::full({graph.x.size(0)}, std::ssize(x) - 1, graph.edges.options()));
    edges.push_back(graph.edges + nodes);
    places.push_back(graph.adjacency.indices() + nodes);
    weights.push_back(graph.adjacency.values());
    nodes += graph.x.size(0);
  }
  TORCH_CHECK(nodes < bucket_.nodes, "the batch leaves no node for padding");
  put(batch_.x, x, 0).zero_();
  put(batch_.y, y, 0).fill_(ignored_label);
  put(batch_.graph_of, graph_of, 0).fill_(std::ssize(graphs));
  const auto padding = bucket_.nodes - nodes;
  fill_with_loops(put(batch_.edges, edges, 1), nodes, padding);
  fill_with_loops(put(batch_.adjacency.indices(), places, 1), nodes, padding);
  put(batch_.adjacency.values(), weights, 0).zero_();
}

}  // namespace workloads::stgym
