#include "workloads/stgym/train.hpp"

#include "harness/torch/range.hpp"

#include "workloads/stgym/modes.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace workloads::stgym {
namespace {

constexpr int loader_workers = 5;
constexpr std::ptrdiff_t sanity_batches = 2;

ModelShape shape_for(const Dataset& dataset) {
  ModelShape shape;
  shape.features = dataset.features();
  shape.task = dataset.task;
  shape.classes = dataset.task == Task::node_classification ? dataset.classes : 1;
  return shape;
}

/// Built here, before the first batch, or (empty) on every access to a graph.
std::shared_ptr<const Neighbourhoods> neighbourhoods_of(const Dataset& dataset, const Switches& switches) {
  if (!switches.graph_once) return {};
  return std::make_shared<const Neighbourhoods>(all_neighbourhoods(dataset));
}

NamedTensors copy_of(const NamedTensors& parameters) {
  auto copy = parameters;
  for (auto& [name, tensor] : copy) tensor = tensor.detach().clone();
  return copy;
}

Adam::Settings adam_settings(const Switches& switches) { return {.fused = switches.fused_optimizer}; }

at::Tensor forward(Model& model, const Batch& batch, const Switches& switches) {
  const harness::Range range("fwd");
  return model.losses(model.forward(batch, switches), batch).total;
}

}  // namespace

Trainer::Trainer(Job job, const Switches& switches)
    : job_(std::move(job)),
      switches_(switches),
      split_(split(*job_.dataset, job_.seed)),
      validation_(batches(split_.validation, job_.options.batch_size)),
      test_(batches(split_.test, job_.options.batch_size)),
      model_(shape_for(*job_.dataset), job_.seed, job_.device),
      built_(neighbourhoods_of(*job_.dataset, switches)),
      alone_({.dataset = job_.dataset, .device = job_.device, .built = built_}),
      epochs_({job_.dataset, job_.device, switches.workers_5 ? loader_workers : 0, job_.loader_kind,
               job_.options.batch_size, built_}),
      start_(copy_of(model_.parameters())) {
  restart();
}

void Trainer::restart() {
  losses();  // of the run that ends here: a loss that is not finite must not go unseen
  model_.assign(start_);
  adam_.emplace(model_.parameters(), adam_settings(switches_));
  adam_->zero_grad();
  losses_.clear();
  begin_epoch(0);
  auto first = validation_;
  first.resize(static_cast<std::size_t>(std::min(std::ssize(first), sanity_batches)));
  evaluate_on(first);
}

void Trainer::rewind(std::int64_t batch) {
  losses();
  losses_.clear();
  begin_epoch(0);
  cursor_ = static_cast<std::size_t>(batch % batches_per_epoch());
}

void Trainer::begin_epoch(std::int64_t epoch) {
  epoch_ = epoch;
  cursor_ = 0;
  train_ = shuffled_batches(split_.train, job_.options.batch_size, job_.seed, epoch);
}

void Trainer::learn(const Batch& batch) {
  adam_->zero_grad();
  const auto loss = forward(model_, batch, switches_);
  losses_.push_back(loss.detach());
  try {
    const harness::Range range("bwd");
    loss.backward();
  } catch (const std::exception&) {
    losses();  // anomaly detection stopped at a NaN: if the loss is one, its batch is the better message
    throw;
  }
  const harness::Range range("opt");
  adam_->step();
}

void Trainer::step() {
  const Modes modes(switches_);
  alone_.begin({train_[cursor_]});
  learn(*alone_.next());
  if (++cursor_ == train_.size()) begin_epoch(epoch_ + 1);
}

void Trainer::rehearse() {
  const Modes modes(switches_);
  alone_.begin({train_[cursor_]});
  const auto batch = *alone_.next();
  forward(model_, batch, switches_).backward();
  adam_->zero_grad();
}

void Trainer::validate() { scores_ = evaluate_on(validation_); }

Scores Trainer::test() { return evaluate_on(test_); }

Scores Trainer::evaluate_on(const Batches& batches) {
  const Modes modes(switches_);
  alone_.begin(batches);
  return evaluate(model_, alone_, switches_);
}

void Trainer::epoch() {
  const Modes modes(switches_);
  auto all = train_;
  all.insert(all.end(), validation_.begin(), validation_.end());
  epochs_.begin(all);
  for (std::size_t i = 0; i < train_.size(); ++i) learn(*epochs_.next());
  losses();
  scores_ = evaluate(model_, epochs_, switches_);
  begin_epoch(epoch_ + 1);
}

std::vector<float> Trainer::losses() const {
  if (losses_.empty()) return {};
  const auto all = at::stack(losses_).cpu();
  const auto* data = all.const_data_ptr<float>();
  std::vector<float> losses(data, data + all.numel());
  const auto bad = std::ranges::find_if(losses, [](float loss) { return !std::isfinite(loss); });
  if (bad != losses.end())
    throw std::runtime_error("batch " + std::to_string(bad - losses.begin() + 1) +
                             ": the loss is not finite");
  return losses;
}

}  // namespace workloads::stgym
