// The loop that trains ResNet-50, GPT and U-Net, in any form of the ladder.
#pragma once

#include "workloads/training/dataset.hpp"
#include "workloads/training/loading.hpp"
#include "workloads/training/loss_scale.hpp"
#include "workloads/training/network.hpp"
#include "workloads/training/optimizer.hpp"
#include "workloads/training/switches.hpp"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace workloads::training {

/// What all forms of one workload have in common.
struct Job {
  std::shared_ptr<const Dataset> dataset;
  MakeNetwork make = nullptr;
  double gain = 2;  // of the first parameters: `initialise`
  Recipe recipe;
  double clip = 0;  // the norm that all gradients together are scaled down to; 0: they are left alone
  std::int64_t batch_size = 8;
  std::uint64_t seed = 0;
  at::Device device = at::kCPU;
};

/// One model in training. Two trainers with the same job see the same batches in the same order.
class Trainer {
 public:
  Trainer(Job job, const Switches& switches);

  /// Back to the first parameters and the first batch.
  void restart();
  /// To batch `batch` of the first epoch, round and round, with the parameters as they are. Forgets the
  /// losses.
  void rewind(std::int64_t batch);
  /// Fetch, copy, forward, backward, update. Goes on into the next epoch.
  void step();
  /// Forward and backward of the next batch without any effect on parameters, buffers or losses.
  void rehearse();
  /// All training batches of an epoch and a validation pass.
  void epoch();
  /// The mean loss over the validation samples.
  double validate();

  /// Losses of the steps since `restart`. Throws std::runtime_error where one is not finite.
  std::vector<float> losses() const;
  /// Of the only step since `restart`: its loss, the norm of all gradients together, how far the parameters
  /// went, and the product of that way with the gradients. Throws std::logic_error after any other number.
  ///
  /// Losses of later steps compare no forms: Adam moves a parameter whose gradient is next to nothing as far
  /// as any other, and rounding decides in which direction. Such parameters add nothing to these four
  /// numbers.
  std::vector<float> first_step() const;
  std::int64_t batches_per_epoch() const { return static_cast<std::int64_t>(batches_.size()); }

 private:
  void begin_epoch(std::int64_t epoch);
  Sample fetch(const Numbers& numbers) const;
  Sample next_batch();
  Sample laid_out(Sample batch) const;
  void backward(const at::Tensor& loss) const;
  void update();
  at::Tensor loss_of(const Sample& batch, Mode mode) const;
  void log(const at::Tensor& loss);

  Job job_;
  Switches switches_;
  Feed feed_;
  Network network_;
  NamedTensors first_parameters_, first_buffers_;
  std::optional<Optimizer> optimizer_;
  std::vector<Numbers> batches_;
  std::unique_ptr<Loading> loading_;  // of the batches from `cursor_` on, once the first was asked for
  std::optional<LossScale> scale_;    // FP16's
  std::int64_t epoch_ = 0;
  std::size_t cursor_ = 0;
  std::vector<at::Tensor> losses_;
};

}  // namespace workloads::training
