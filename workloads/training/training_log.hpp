// Where a training stands, its epoch, the next of its batches, and the losses of the steps so far; and what
// it shows of itself: its loss on a line, and what `--log FOLDER` writes for TensorBoard, by a thread of its
// own.
#pragma once

#include "harness/catalogue/catalogue.hpp"
#include "harness/core/setup.hpp"
#include "harness/results/event_records.hpp"

#include "workloads/training/dataset.hpp"

#include <fmt/format.h>

#include <fstream>

namespace workloads::training {

/// Where the trainings of a workload are logged, and how often.
struct LogPlan {
  std::filesystem::path folder;  // of the workload
  std::int64_t every = 10;       // steps
};

/// --log and --log-every, as `--help` shows them; `steps` is how the ids of the steps begin that train to an
/// end.
std::vector<harness::catalogue::Option> log_options(const std::string& steps);

/// Nothing without --log. Throws BadInput where --log-every is not a whole number from 1.
std::optional<LogPlan> log_plan(const harness::Setup& setup, const std::string& workload);

/// One training. The numbers of every Nth step: loss, samples per second and the share of the time that was
/// spent waiting for batches, both since the last that was logged, and memory.
class TrainingLog {
 public:
  /// Makes a folder of that name; where it is there, "NAME-2" and so on. Throws BadInput where it cannot.
  TrainingLog(const LogPlan& plan, const std::string& name, at::Device device);

  /// So long the loop has waited for a batch.
  void waited(std::chrono::steady_clock::duration time) { waited_ += time; }
  /// A step is over, or on a device queued. `loss` must not change any more.
  void step(const at::Tensor& loss, std::int64_t samples);
  /// On samples that are not learned from: `right` is the share of labels that were guessed; nothing where
  /// there are none.
  void validated(double loss, std::optional<double> right);
  /// Waits until all is written. Throws BadInput where it could not be.
  void close() { log_.close(); }

 private:
  at::Device device_;
  std::int64_t every_;
  std::int64_t step_ = 0;
  std::int64_t samples_ = 0;  // since `since_`
  std::chrono::steady_clock::duration waited_{};
  std::chrono::steady_clock::time_point since_;
  harness::results::ScalarLog log_;
};

/// The log of one training; null without a plan.
std::shared_ptr<TrainingLog> begin_log(const std::optional<LogPlan>& plan, const std::string& name,
                                       at::Device device);

/// What `fetch` gives; the log, where there is one, hears how long that took.
template <class Fetch>
auto waited_for(TrainingLog* log, const Fetch& fetch) {
  if (log == nullptr) return fetch();
  const auto begin = std::chrono::steady_clock::now();
  auto batch = fetch();
  log->waited(std::chrono::steady_clock::now() - begin);
  return batch;
}

/// Reads the loss from its device and writes the line, in each step or every 50 steps. Nobody reads the lines
/// of a measurement.
inline void show_loss(std::size_t step, const at::Tensor& loss, bool every_50) {
  if (every_50 && step % 50 != 0) return;
  std::ofstream out("/dev/null");
  out << fmt::format("step {}: loss {:.4f}\n", step, loss.item<double>()) << std::flush;
}

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
  /// Throws std::logic_error after any other number than one.
  const at::Tensor& only_loss() const;
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
