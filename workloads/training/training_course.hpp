// Where a training stands: its epoch, the next of its batches, and the losses of the steps so far.
#pragma once

#include "workloads/training/dataset.hpp"

#include <cstddef>

namespace workloads::training {

class Course {
 public:
  /// `batches_of` gives the batches of an epoch, counted from 0, in that epoch's order.
  explicit Course(std::function<std::vector<Numbers>(std::int64_t epoch)> batches_of);

  /// To a batch of an epoch, round and round. Forgets the losses.
  void rewind(std::int64_t epoch, std::int64_t batch = 0);
  /// Behind the last batch of an epoch to the first one of the next: then it returns true.
  bool advance();
  void begin_next_epoch();
  void note(at::Tensor loss) { losses_.push_back(std::move(loss)); }

  std::int64_t epoch() const { return epoch_; }
  /// The next one.
  const Numbers& batch() const { return batches_[cursor_]; }
  /// Of the epoch.
  const std::vector<Numbers>& batches() const { return batches_; }
  /// Those of the epoch that are not yet trained.
  std::vector<Numbers> batches_left() const;
  const std::vector<at::Tensor>& losses() const { return losses_; }
  /// On the host. Throws std::runtime_error where one is not finite, with the number of the first such batch.
  std::vector<float> finite_losses() const;

 private:
  std::function<std::vector<Numbers>(std::int64_t)> batches_of_;
  std::vector<Numbers> batches_;
  std::int64_t epoch_ = 0;
  std::size_t cursor_ = 0;  // of the next batch
  std::vector<at::Tensor> losses_;
};

}  // namespace workloads::training
