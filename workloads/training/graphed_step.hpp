// A training step as a CUDA graph: every batch has the same shape, so one graph replays them all.
#pragma once

#include "workloads/training/dataset.hpp"
#include "workloads/training/network.hpp"

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <vector>

namespace at::cuda {
struct CUDAGraph;
}

namespace workloads::training {

/// What is recorded.
struct GraphedWork {
  std::function<at::Tensor(const Sample&)> train;  // forward, backward and update; gives the loss
  std::function<void(const Sample&)> rehearse;     // forward and backward, without any effect
  NamedTensors parameters;                         // whose gradients the graph makes for itself
};

class GraphedStep {
 public:
  /// Records the step on tensors like `sample`; trains nothing.
  GraphedStep(const GraphedWork& work, const Sample& sample);
  ~GraphedStep();
  GraphedStep(const GraphedStep&) = delete;
  GraphedStep& operator=(const GraphedStep&) = delete;

  /// Trains the batch and gives its loss, a tensor of its own.
  at::Tensor operator()(const Sample& batch);
  /// Of the last step, in the parameters' order.
  const std::vector<at::Tensor>& gradients() const { return gradients_; }

 private:
  Sample fixed_;
  at::Tensor loss_;
  std::vector<at::Tensor> gradients_;
  std::unique_ptr<at::cuda::CUDAGraph> graph_;
};

}  // namespace workloads::training
