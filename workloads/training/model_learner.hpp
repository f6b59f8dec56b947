// A network that learns: what a form of the ladder does with one batch.
#pragma once

#include "workloads/training/compiled_step.hpp"
#include "workloads/training/data_parallel.hpp"
#include "workloads/training/dataset.hpp"
#include "workloads/training/floor.hpp"
#include "workloads/training/job.hpp"
#include "workloads/training/network.hpp"
#include "workloads/training/optimizer.hpp"
#include "workloads/training/switches.hpp"

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

/// A training step as a CUDA graph: every batch has the same shape, so one graph replays them all.
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

/// The factor that keeps FP16's gradients from becoming zero, raised and lowered as PyTorch's GradScaler
/// does.
class LossScale {
 public:
  explicit LossScale(at::Device device);

  at::Tensor scaled(const at::Tensor& loss) const;
  /// Divides the gradients by the factor, and halves it where one of them is not finite: then this returns
  /// false and the update must be left out. Waits for the device.
  bool unscale(const NamedTensors& parameters);
  double factor() const;

 private:
  at::Tensor factor_, good_steps_;
};

class Learner {
 public:
  Learner(const Job& job, const Switches& switches);

  /// Back to the first parameters.
  void restart();
  /// Compiles, or records once more after each restart, what the switches ask for, for batches like this one;
  /// the other functions do so where it was not done. Throws harness::Skip where nothing can be compiled.
  void prepare(const Sample& batch);
  /// That compiling took when it was done, here or before; 0 for a form that needs none.
  double compile_seconds() const { return compiled_ ? compiled_->compile_seconds() : 0; }
  /// Forward, backward and update; gives the loss. With other ranks each trains its shard of a batch.
  at::Tensor train(const Sample& batch);
  /// The same work; parameters, buffers and the optimizer's moments are put back. FP16's factor stays as
  /// found.
  void rehearse(const Sample& batch);
  /// A loss of one process's own samples as the mean over all of them; without others the loss itself.
  at::Tensor over_all_ranks(const at::Tensor& loss) const { return exchange_ ? exchange_->mean(loss) : loss; }
  /// The network's output in FP32, in evaluation.
  at::Tensor predict(const Sample& batch) const;
  at::Tensor loss(const at::Tensor& output, const Sample& batch) const;

  /// What a step on `batch` needs in FP32 in any form.
  Work work(const Sample& batch, bool from_host) const { return step_work(network_, batch, from_host); }

  /// The norm of the last step's gradients together, how far the parameters went since `restart`, and the
  /// product of that way with these gradients.
  std::array<float, 3> gradients_and_way() const;
  /// Those of the last step, clipped where the job says so. A compiled step keeps its own to itself.
  std::vector<at::Tensor> gradients() const;
  /// How far the buffers have gone since `restart`: of each the way's root mean square r as r / (1 + r), and
  /// the mean of these; nothing where the network has none.
  std::optional<float> buffers_way() const;

 private:
  at::Tensor output_of(const Sample& batch, Mode mode) const;
  std::vector<Sample> parts_of(const Sample& batch) const;
  at::Tensor add_gradients(const Sample& part, bool is_last);
  at::Tensor train_by_operators(const Sample& batch);
  void rehearse_operators(const Sample& batch);
  void backward(const at::Tensor& loss, bool is_last_part = true) const;
  void update();

  Switches switches_;
  Recipe recipe_;
  double clip_;
  std::int64_t parts_;
  at::ScalarType type_;
  CompiledWork compiled_work_;
  Network network_;
  NamedTensors first_parameters_, first_buffers_;
  std::optional<Optimizer> optimizer_;
  std::unique_ptr<GradientExchange> exchange_;  // with the other ranks
  std::optional<LossScale> scale_;              // FP16's
  std::unique_ptr<GraphedStep> graphed_;        // once the first batch was seen
  std::optional<CompiledStep> compiled_;        // once the first batch was seen
};

}  // namespace workloads::training
