#include "workloads/training/optimizer.hpp"

#include "harness/libtorch/range.hpp"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <tuple>

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

/// Parameters with one weight decay, and what the fused operator keeps of them: lists of the same length,
/// Adam's all three, SGD's momenta alone.
struct ParameterGroup {
  double weight_decay = 0;
  std::vector<at::Tensor> parameters = {};
  std::vector<at::Tensor> means = {}, squares = {}, steps = {};
  std::vector<at::Tensor> momenta = {};
};

namespace {

std::vector<ParameterGroup> groups_of(const NamedTensors& named, const Recipe& recipe) {
  ParameterGroup pulled{.weight_decay = recipe.weight_decay};
  ParameterGroup free;
  for (const auto& [name, tensor] : named)
    (recipe.decays_matrices_only && tensor.dim() < 2 ? free : pulled).parameters.push_back(tensor);
  std::vector<ParameterGroup> groups;
  for (auto& group : {pulled, free})
    if (!group.parameters.empty()) groups.push_back(group);
  return groups;
}

template <class Options>
std::vector<torch::optim::OptimizerParamGroup> torch_groups(const std::vector<ParameterGroup>& groups,
                                                            const Options& options) {
  std::vector<torch::optim::OptimizerParamGroup> all;
  for (const auto& group : groups) {
    auto own = std::make_unique<Options>(options);
    own->weight_decay(group.weight_decay);
    all.emplace_back(group.parameters, std::move(own));
  }
  return all;
}

/// LibTorch's own, which goes from parameter to parameter.
std::unique_ptr<torch::optim::Optimizer> plain(const std::vector<ParameterGroup>& groups,
                                               const Recipe& recipe) {
  using namespace torch::optim;
  const std::tuple betas{recipe.beta1, recipe.beta2};
  switch (recipe.algorithm) {
    case Algorithm::sgd: {
      const auto options = SGDOptions(recipe.learning_rate).momentum(recipe.momentum);
      return std::make_unique<SGD>(torch_groups(groups, options), options);
    }
    case Algorithm::adam: {
      const auto options = AdamOptions(recipe.learning_rate).betas(betas);
      return std::make_unique<Adam>(torch_groups(groups, options), options);
    }
    case Algorithm::adamw: {
      const auto options = AdamWOptions(recipe.learning_rate).betas(betas);
      return std::make_unique<AdamW>(torch_groups(groups, options), options);
    }
  }
  throw std::logic_error("an algorithm without an optimizer");
}

void make_moments(ParameterGroup& group, const Recipe& recipe) {
  for (const auto& parameter : group.parameters) {
    if (recipe.algorithm == Algorithm::sgd) {
      if (recipe.momentum != 0) group.momenta.push_back(at::zeros_like(parameter.detach()));
      continue;
    }
    group.means.push_back(at::zeros_like(parameter.detach()));
    group.squares.push_back(at::zeros_like(parameter.detach()));
    group.steps.push_back(at::zeros({}, parameter.options().requires_grad(false).dtype(at::kFloat)));
  }
}

void set_rate(torch::optim::Optimizer& optimizer, double rate) {
  for (auto& group : optimizer.param_groups()) group.options().set_lr(rate);
}

void fused_step(ParameterGroup& group, const Recipe& recipe, double rate) {
  constexpr double eps = 1e-8;
  std::vector<at::Tensor> gradients;
  for (const auto& parameter : group.parameters) gradients.push_back(parameter.grad());
  if (recipe.algorithm == Algorithm::sgd) {  // momenta begin at 0, so no step is a first one
    at::_fused_sgd_(group.parameters, gradients, group.momenta, group.weight_decay, recipe.momentum, rate,
                    /*dampening=*/0, /*nesterov=*/false, /*maximize=*/false, /*is_first_step=*/false);
    return;
  }
  at::_foreach_add_(group.steps, 1);
  const auto operate = [&](auto fused) {
    fused(group.parameters, gradients, group.means, group.squares, /*max_exp_avg_sqs=*/at::TensorList{},
          group.steps, rate, recipe.beta1, recipe.beta2, group.weight_decay, eps,
          /*amsgrad=*/false, /*maximize=*/false, std::nullopt, std::nullopt);
  };
  if (recipe.algorithm == Algorithm::adam)
    operate([](auto&&... all) { at::_fused_adam_(all...); });
  else
    operate([](auto&&... all) { at::_fused_adamw_(all...); });
}

/// The name that Python's optimizer gives its ranges, so that tools know them.
std::string name_of(Algorithm algorithm) {
  if (algorithm == Algorithm::sgd) return "SGD";
  return algorithm == Algorithm::adam ? "Adam" : "AdamW";
}

}  // namespace

struct Optimizer::Implementation {
  Recipe recipe;
  bool fused;
  std::vector<ParameterGroup> groups;
  std::unique_ptr<torch::optim::Optimizer> own;
  std::string zero_range = "Optimizer.zero_grad#" + name_of(recipe.algorithm) + ".zero_grad";
  std::string step_range = "Optimizer.step#" + name_of(recipe.algorithm) + ".step";
  std::int64_t steps = 0;  // taken
};

double rate_of_step(const Recipe& recipe, std::int64_t step) {
  if (recipe.rate_falls_over == 0) return recipe.learning_rate;
  const auto gone = static_cast<double>(step) / static_cast<double>(recipe.rate_falls_over);
  return recipe.learning_rate * std::max(1 - gone, 0.0);
}

Optimizer::Optimizer(const NamedTensors& parameters, const Recipe& recipe, bool fused)
    : implementation_(std::make_unique<Implementation>(recipe, fused, groups_of(parameters, recipe))) {
  implementation_->own = plain(implementation_->groups, recipe);
  if (fused)
    for (auto& group : implementation_->groups) make_moments(group, recipe);
}
Optimizer::~Optimizer() = default;
Optimizer::Optimizer(Optimizer&&) noexcept = default;
Optimizer& Optimizer::operator=(Optimizer&&) noexcept = default;

void Optimizer::zero_grad(bool to_none) {
  const harness::Range range(implementation_->zero_range);
  implementation_->own->zero_grad(to_none);
}

NotedState Optimizer::noted() const {
  std::vector<at::Tensor> tensors;
  for (const auto& group : implementation_->groups)
    for (const auto* list : {&group.parameters, &group.means, &group.squares, &group.steps, &group.momenta})
      tensors.insert(tensors.end(), list->begin(), list->end());
  return {std::move(tensors), implementation_->own.get(), &implementation_->steps};
}

void Optimizer::step() {
  auto& [recipe, fused, groups, own, zero_range, step_range, steps] = *implementation_;
  const harness::Range range(step_range);
  const auto rate = rate_of_step(recipe, steps++);
  if (!fused) {
    if (recipe.rate_falls_over > 0) set_rate(*own, rate);
    own->step();
    return;
  }
  const c10::NoGradGuard no_gradients;
  for (auto& group : groups) fused_step(group, recipe, rate);
}

void Optimizer::set_learning_rate(double rate) {
  implementation_->recipe.learning_rate = rate;
  set_rate(*implementation_->own, rate);
}

void clip_gradients(const NamedTensors& parameters, double most, bool together) {
  const c10::NoGradGuard no_gradients;
  constexpr double eps = 1e-6;  // as in PyTorch's clip_grad_norm_
  std::vector<at::Tensor> gradients, norms;
  for (const auto& [name, parameter] : parameters) gradients.push_back(parameter.grad());
  if (together)
    norms = at::_foreach_norm(gradients, 2);
  else
    for (const auto& gradient : gradients) norms.push_back(gradient.norm());
  const auto factor = (most / (at::stack(norms).norm() + eps)).clamp_max(1);
  if (together)
    at::_foreach_mul_(gradients, factor);
  else
    for (auto& gradient : gradients) gradient.mul_(factor);
}

}  // namespace workloads::training
