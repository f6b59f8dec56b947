// Whole passes of training: validation, test, an epoch with both kinds of batches.
#include "workloads/stgym/train/train_epochs.hpp"

#include "workloads/stgym/train/modes.hpp"
#include "workloads/stgym/train/trainer.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>

namespace workloads::stgym {

void Trainer::validate() { scores_ = evaluate_on(validation_); }

Scores Trainer::test() { return evaluate_on(test_); }

Scores Trainer::evaluate_on(const Batches& batches) {
  const Modes modes(switches_);
  if (ahead_) return evaluate_ahead(batches);
  alone_.begin(batches);
  return evaluate(*learner_, [this] { return alone_.next(); }, switches_, configuration_.task.type);
}

/// Each batch is copied while the one before it is predicted; during the last one, the next training batch.
Scores Trainer::evaluate_ahead(const Batches& batches) {
  std::size_t next = 0;
  const auto take = [&]() -> std::optional<Batch> {
    if (next == batches.size()) return std::nullopt;
    auto batch = ahead_->take(batches[next++]);
    ahead_->begin(next == batches.size() ? train_[cursor_] : batches[next]);
    return batch;
  };
  return evaluate(*learner_, take, switches_, configuration_.task.type);
}

/// Of the epoch that the batch at the cursor belongs to. A captured step keeps the rate that it was captured
/// with, so a schedule excludes that rung.
void Trainer::set_learning_rate() {
  if (configuration_.train.lr_schedule != space::ScheduleType::constant)
    optimizer_->set_learning_rate(learning_rate(configuration_.train, epoch_, job_.options.epochs));
}

void Trainer::log_step(const std::vector<std::int64_t>& graphs) {
  if (log_) log_->step(losses_.back(), std::ssize(graphs));
}

void Trainer::note_validation() {
  patience_.note(scores_.loss);
  if (!log_) return;
  const auto found = std::ranges::find(scores_.metrics, "accuracy", &Metric::name);
  log_->validated(scores_.loss, found == scores_.metrics.end() ? std::nullopt : std::optional(found->value));
}

void Trainer::epoch() {
  const Modes modes(switches_);
  if (graphed_ || ahead_) {
    for (auto left = train_.size(); left > 0; --left) learn_next(left == 1 ? &validation_.front() : nullptr);
    losses();
    scores_ = evaluate_on(validation_);
    note_validation();
    return;
  }
  auto all = train_;
  all.insert(all.end(), validation_.begin(), validation_.end());
  epochs_.begin(all);
  set_learning_rate();
  for (const auto& graphs : train_) {
    losses_.push_back(learn(*training::waited_for(log_.get(), [this] { return epochs_.next(); })));
    log_step(graphs);
  }
  losses();
  scores_ = evaluate(*learner_, [this] { return epochs_.next(); }, switches_, configuration_.task.type);
  note_validation();
  begin_epoch(epoch_ + 1);
}

Fit fit(const Job& job, const Switches& switches) {
  Trainer trainer(job, switches);
  Fit fit;
  while (!trainer.finished()) {
    trainer.epoch();
    const auto losses = trainer.losses();
    const auto last = losses.end() - trainer.batches_per_epoch();
    const auto mean = std::accumulate(last, losses.end(), 0.0) / static_cast<double>(losses.end() - last);
    fit.epochs.push_back({mean, trainer.validation(), trainer.test()});
  }
  fit.stopped_early = trainer.stopped_early();
  const auto lowest =
      std::ranges::min_element(fit.epochs, {}, [](const auto& e) { return e.validation.loss; });
  fit.best = static_cast<std::size_t>(lowest - fit.epochs.begin());
  return fit;
}

}  // namespace workloads::stgym
