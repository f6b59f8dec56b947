// A training step as one CUDA graph, replayed on batches that all have the same sizes.
#pragma once

#include "workloads/sage/batch_feed.hpp"
#include "workloads/training/state.hpp"

namespace at::cuda {

struct CUDAGraph;

}

namespace workloads::sage {

class CapturedStep {
 public:
  /// Forward, backward and optimizer on a batch; gives the loss.
  using Train = std::function<at::Tensor(const Batch&)>;

  explicit CapturedStep(training::NamedTensors parameters);
  ~CapturedStep();
  CapturedStep(const CapturedStep&) = delete;
  CapturedStep& operator=(const CapturedStep&) = delete;

  /// Trains a padded batch and gives its loss, a tensor of its own. The first one is captured: `rehearse`
  /// then does what `train` does, without any effect.
  at::Tensor operator()(const Batch& batch, const Train& train,
                        const std::function<void(const Batch&)>& rehearse);

 private:
  void capture(const Batch& batch, const Train& train, const std::function<void(const Batch&)>& rehearse);

  training::NamedTensors parameters_;
  Batch batch_;  // in memory that stays
  at::Tensor loss_;
  std::vector<at::Tensor> gradients_;
  std::unique_ptr<at::cuda::CUDAGraph> graph_;
};

}  // namespace workloads::sage
