// Training steps as CUDA graphs, one for each bucket: what stgym/cuda_graph switches to.
#pragma once

#include "workloads/stgym/batch.hpp"
#include "workloads/stgym/padded_batch.hpp"

#include <ATen/core/Tensor.h>

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace at::cuda {
struct CUDAGraph;
}

namespace workloads::stgym {

/// What a captured step consists of, on tensors whose addresses stay.
struct GraphedWork {
  std::function<at::Tensor(const Batch&)> train;  // forward, backward and optimizer; gives the loss
  std::function<void(const Batch&)> rehearse;     // forward and backward, without any effect
  std::function<void()> forget_gradients;         // so that each graph makes its own
};

class GraphedSteps {
 public:
  explicit GraphedSteps(GraphedWork work);
  ~GraphedSteps();
  GraphedSteps(const GraphedSteps&) = delete;
  GraphedSteps& operator=(const GraphedSteps&) = delete;

  /// Trains one batch and gives its loss, a tensor of its own. The first batch of a bucket is captured.
  at::Tensor step(const std::vector<GraphItem>& graphs);
  /// Captures the bucket of these graphs, where it is not yet; trains nothing.
  void prepare(const std::vector<GraphItem>& graphs);
  /// Forgets every graph: the optimizer's tensors have moved.
  void clear();

 private:
  struct Step;
  Step& step_for(const std::vector<GraphItem>& graphs);

  GraphedWork work_;
  std::map<Bucket, std::unique_ptr<Step>> steps_;
};

}  // namespace workloads::stgym
