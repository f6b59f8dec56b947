#include "workloads/stgym/train/graphed_steps.hpp"

#include "harness/libtorch/torch_graph.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>
#include <utility>

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

std::int64_t sum_of_largest(std::vector<std::int64_t> values, std::int64_t count) {
  std::ranges::sort(values, std::greater{});
  values.resize(static_cast<std::size_t>(std::min(count, std::ssize(values))));
  return std::reduce(values.begin(), values.end());
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

Bucket largest_bucket(const std::vector<GraphItem>& graphs, std::int64_t batch_size) {
  std::vector<std::int64_t> nodes, edges;
  for (const auto& graph : graphs) {
    nodes.push_back(graph.x.size(0));
    edges.push_back(edges_in(graph));
  }
  return smallest_bucket({batch_size, sum_of_largest(nodes, batch_size), sum_of_largest(edges, batch_size)});
}

BatchMemory batch_memory(const Bucket& largest, const GraphItem& example) {
  const auto integers = example.edges.options();
  return {.x = at::empty({largest.nodes, example.x.size(1)}, example.x.options()),
          .y = at::empty({largest.nodes}, integers),
          .graph_of = at::empty({largest.nodes}, integers),
          .edges = at::empty({2 * largest.edges}, integers),
          .places = at::zeros({2 * largest.edges}, integers),
          .weights = at::zeros({largest.edges}, example.x.options())};
}

PaddedBatch::PaddedBatch(const Bucket& bucket, const std::vector<GraphItem>& first, const BatchMemory& memory)
    : bucket_(bucket) {
  const auto n = bucket.nodes;
  batch_.x = memory.x.narrow(0, 0, n);
  batch_.y = memory.y.narrow(0, 0, labels_graphs(first) ? bucket.graphs : n);
  batch_.edges = memory.edges.narrow(0, 0, 2 * bucket.edges).view({2, bucket.edges});
  // It says coalesced though the padding's edges may repeat: nobody looks an edge up.
  batch_.adjacency = at::_sparse_coo_tensor_unsafe(
      memory.places.narrow(0, 0, 2 * bucket.edges).view({2, bucket.edges}),
      memory.weights.narrow(0, 0, bucket.edges), {n, n}, {}, {}, {}, {}, /*is_coalesced=*/true);
  batch_.graph_of = memory.graph_of.narrow(0, 0, n);
  for (const auto& graph : first) batch_.sizes.push_back(graph.x.size(0));
  fill(first);
}

PaddedBatch::PaddedBatch(const Bucket& bucket, const std::vector<GraphItem>& first)
    : PaddedBatch(bucket, first, batch_memory(bucket, first.front())) {}

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

struct GraphedSteps::Step {
  std::optional<PaddedBatch> joined;  // without GraphedWork::resident
  Batch batch;
  at::Tensor loss;
  std::unique_ptr<at::cuda::CUDAGraph> graph;
};

GraphedSteps::GraphedSteps(GraphedWork work) : work_(std::move(work)), pool_(at::cuda::graph_pool_handle()) {}
GraphedSteps::~GraphedSteps() = default;

/// Edges of rows need no room: they stay where they are.
Bucket GraphedSteps::bucket_of(const std::vector<std::int64_t>& graphs) const {
  if (!work_.resident)
    return bucket_for(fetch_graphs(*work_.graphs.dataset, graphs, work_.graphs.built.get()));
  auto bucket = smallest_bucket({std::ssize(graphs), work_.resident->nodes(graphs), 0});
  bucket.edges = 0;
  return bucket;
}

/// Features of a full-size batch are 590 MB: a device has room for them once, not once for each bucket.
const BatchMemory& GraphedSteps::joined_memory() {
  if (!memory_) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(work_.graphs.dataset->graphs()));
    std::iota(all.begin(), all.end(), 0);
    const auto items = fetch_graphs(*work_.graphs.dataset, all, work_.graphs.built.get());
    memory_ = batch_memory(largest_bucket(items, work_.batch_size), items.front());
  }
  return *memory_;
}

std::unique_ptr<GraphedSteps::Step> GraphedSteps::made_for(const Bucket& bucket,
                                                           const std::vector<std::int64_t>& graphs) {
  auto made = std::make_unique<Step>();
  if (work_.resident) {
    made->batch = work_.resident->padded(graphs, bucket.nodes);
  } else {
    made->joined.emplace(bucket, fetch_graphs(*work_.graphs.dataset, graphs, work_.graphs.built.get()),
                         joined_memory());
    made->batch = made->joined->batch();
  }
  return made;
}

GraphedSteps::Step& GraphedSteps::step_for(const std::vector<std::int64_t>& graphs) {
  const auto bucket = bucket_of(graphs);
  auto& step = steps_[bucket];
  if (step) return *step;
  auto made = made_for(bucket, graphs);
  work_.forget_gradients();
  made->graph = harness::captured([&] { made->loss = work_.train(made->batch); },
                                  [&] { work_.rehearse(made->batch); }, pool_);
  // The graph goes on writing to its gradients; the model must not take them for its own.
  work_.forget_gradients();
  step = std::move(made);
  return *step;
}

at::Tensor GraphedSteps::step(const std::vector<std::int64_t>& graphs) {
  auto& step = step_for(graphs);
  if (work_.resident)
    work_.resident->fill(step.batch, graphs);
  else
    step.joined->fill(fetch_graphs(*work_.graphs.dataset, graphs, work_.graphs.built.get()));
  step.graph->replay();
  return step.loss.detach().clone();
}

void GraphedSteps::prepare(const std::vector<std::int64_t>& graphs) { step_for(graphs); }

void GraphedSteps::clear() {
  steps_.clear();
  pool_ = at::cuda::graph_pool_handle();
}

}  // namespace workloads::stgym
