#include "workloads/training/optimizer.hpp"

#include "harness/libtorch/range.hpp"

#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace workloads::training {
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

}  // namespace workloads::training
