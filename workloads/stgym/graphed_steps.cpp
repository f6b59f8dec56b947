#include "workloads/stgym/graphed_steps.hpp"

#include "harness/torch/torch_graph.hpp"

#include <ATen/ATen.h>

#include <utility>

namespace workloads::stgym {

struct GraphedSteps::Step {
  PaddedBatch batch;
  at::Tensor loss;
  std::unique_ptr<at::cuda::CUDAGraph> graph;
};

GraphedSteps::GraphedSteps(GraphedWork work) : work_(std::move(work)) {}
GraphedSteps::~GraphedSteps() = default;

GraphedSteps::Step& GraphedSteps::step_for(const std::vector<GraphItem>& graphs) {
  const auto bucket = bucket_for(graphs);
  auto& step = steps_[bucket];
  if (step) return *step;
  auto made = std::make_unique<Step>(Step{PaddedBatch(bucket, graphs), {}, {}});
  work_.forget_gradients();
  made->graph = harness::captured([&] { made->loss = work_.train(made->batch.batch()); },
                                  [&] { work_.rehearse(made->batch.batch()); });
  // The graph goes on writing to its gradients; the model must not take them for its own.
  work_.forget_gradients();
  step = std::move(made);
  return *step;
}

at::Tensor GraphedSteps::step(const std::vector<GraphItem>& graphs) {
  auto& step = step_for(graphs);
  step.batch.fill(graphs);
  step.graph->replay();
  return step.loss.detach().clone();
}

void GraphedSteps::prepare(const std::vector<GraphItem>& graphs) { step_for(graphs); }

void GraphedSteps::clear() { steps_.clear(); }

}  // namespace workloads::stgym
