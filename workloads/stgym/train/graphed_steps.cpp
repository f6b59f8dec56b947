#include "workloads/stgym/train/graphed_steps.hpp"

#include "harness/libtorch/torch_graph.hpp"

#include <ATen/ATen.h>

#include <numeric>
#include <utility>

namespace workloads::stgym {

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
