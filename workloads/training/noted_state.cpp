#include "workloads/training/noted_state.hpp"

#include <c10/core/GradMode.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>

#include <functional>
#include <stdexcept>
#include <utility>

namespace workloads::training {
namespace {

std::vector<at::Tensor> clones_of(const std::vector<at::Tensor>& tensors) {
  std::vector<at::Tensor> clones;
  for (const auto& tensor : tensors) clones.push_back(tensor.detach().clone());
  return clones;
}

/// What an optimizer keeps of one parameter: tensors, and how many steps it has taken.
struct Kept {
  std::vector<at::Tensor> tensors;
  std::function<std::int64_t()> steps = [] { return 0; };
  std::function<void(std::int64_t)> set_steps = [](std::int64_t) {};
};

template <class Adam>
Kept kept_by_adam(Adam& state) {
  return {.tensors = {state.exp_avg(), state.exp_avg_sq()},
          .steps = [&state] { return state.step(); },
          .set_steps = [&state](std::int64_t steps) { state.step(steps); }};
}

Kept kept_in(torch::optim::OptimizerParamState& state) {
  using namespace torch::optim;
  if (auto* adam = dynamic_cast<AdamParamState*>(&state)) return kept_by_adam(*adam);
  if (auto* adamw = dynamic_cast<AdamWParamState*>(&state)) return kept_by_adam(*adamw);
  if (auto* sgd = dynamic_cast<SGDParamState*>(&state)) {
    Kept kept;
    if (sgd->momentum_buffer().defined()) kept.tensors = {sgd->momentum_buffer()};
    return kept;
  }
  throw std::logic_error("an optimizer whose state is not known here");
}

}  // namespace

NotedState::NotedState(std::vector<at::Tensor> tensors, torch::optim::Optimizer* optimizer,
                       std::int64_t* count)
    : tensors_(std::move(tensors)),
      copies_(clones_of(tensors_)),
      optimizer_(optimizer),
      count_(count),
      noted_count_(count == nullptr ? 0 : *count) {
  if (optimizer_ == nullptr) return;
  for (const auto& [parameter, state] : optimizer_->state()) {
    const auto kept = kept_in(*state);
    moments_[parameter] = {clones_of(kept.tensors), kept.steps()};
  }
}

void NotedState::put_back() const {
  const c10::NoGradGuard no_gradients;
  for (std::size_t i = 0; i < tensors_.size(); ++i) tensors_[i].copy_(copies_[i]);
  if (count_ != nullptr) *count_ = noted_count_;
  if (optimizer_ == nullptr) return;
  for (const auto& [parameter, state] : optimizer_->state()) {
    const auto kept = kept_in(*state);
    const auto noted = moments_.find(parameter);
    for (std::size_t i = 0; i < kept.tensors.size(); ++i)
      noted == moments_.end() ? kept.tensors[i].zero_() : kept.tensors[i].copy_(noted->second.tensors[i]);
    kept.set_steps(noted == moments_.end() ? 0 : noted->second.steps);
  }
}

}  // namespace workloads::training
