// The loop that trains ResNet-50, GPT and U-Net, in any form of the ladder.
#pragma once

#include "workloads/training/dataset.hpp"
#include "workloads/training/job.hpp"
#include "workloads/training/model_learner.hpp"
#include "workloads/training/switches.hpp"
#include "workloads/training/training_log.hpp"

#include <iterator>

namespace workloads::training {

/// A job, and how it is done.
struct Training {
  Job job;
  Switches switches;
};

/// How well a model does on samples that it does not learn from.
struct Score {
  double loss = 0;
  double right = 0;  // the share of labels that it would guess; 0 where targets are not labels
};

/// One model in training. Two trainers with the same job see the same batches in the same order; with other
/// ranks, each reads its shard of them.
class Trainer {
 public:
  /// Throws harness::Skip where the step is to be compiled and cannot be here, and harness::BadInput where
  /// the samples do not fill one batch.
  Trainer(Job job, const Switches& switches);

  /// Back to the first parameters and the first batch.
  void restart();
  /// To batch `batch` of the first epoch, round and round, with the parameters as they are. Forgets the
  /// losses.
  void rewind(std::int64_t batch);
  /// Fetch, copy, forward, backward, update. Goes on into the next epoch.
  void step();
  /// A whole step on the next batch, the update included, without any effect on parameters, buffers or
  /// losses.
  void rehearse();
  /// The training batches of an epoch that are left, of a new one if none is, and a validation pass.
  void epoch();
  /// The validation loss of the first `epoch` since `restart`; nothing before it.
  std::optional<double> first_validation_loss() const { return first_validation_loss_; }
  /// The next step is the first of that epoch.
  void rewind_to_epoch(std::int64_t epoch);
  /// The mean over all validation samples, the last batch as small as it must be.
  Score validate();

  /// From now on steps and validations are logged; null: no longer.
  void log_to(std::shared_ptr<TrainingLog> log) { training_log_ = std::move(log); }

  /// Losses of the steps since `restart`, of this rank's samples. Throws std::runtime_error where one is not
  /// finite.
  std::vector<float> losses() const { return course_.finite_losses(); }
  /// Of the only step since `restart`: its loss over all ranks, the norm of all gradients together, how far
  /// the parameters went, and the product of that way with the gradients. Throws std::logic_error after any
  /// other number.
  ///
  /// Losses of later steps compare no forms: Adam moves a parameter whose gradient is next to nothing as far
  /// as any other, and rounding decides in which direction. Such parameters add nothing to these four
  /// numbers.
  std::vector<float> first_step();
  /// What a form has computed since `restart`: its losses, and the first one times Learner::buffers_way. With
  /// gradients also times n / (1 + n) for the norm n of the last ones, clipped where the job says so, and
  /// times the cosine between them and the parameters' way.
  ///
  /// Losses of trainings see no buffer, and where gradients are clipped none that was forgotten there: Adam
  /// moves as far by any multiple of a gradient. Taken as shares of a loss, the numbers do not widen what the
  /// answer's tolerance, a share of its largest number, allows the losses.
  std::vector<float> answer(bool with_gradients) const;
  /// What a step needs in FP32 in any form.
  Work step_work() const;
  double compile_seconds() const { return learner_.compile_seconds(); }
  std::int64_t batches_per_epoch() const { return std::ssize(course_.batches()); }

 private:
  Sample fetch(const Numbers& numbers) const;
  Sample next_batch();
  Sample laid_out(Sample batch) const;
  void log(const at::Tensor& loss);

  Job job_;
  Switches switches_;
  Feed feed_;
  Learner learner_;
  Course course_;
  std::unique_ptr<Loading> loading_;  // of the epoch's batches that are left, once the first was asked for
  std::optional<double> first_validation_loss_;
  std::shared_ptr<TrainingLog> training_log_ = nullptr;
};

}  // namespace workloads::training
