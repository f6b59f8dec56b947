#include "workloads/stgym/space_model/optimizer.hpp"

#include "harness/libtorch/range.hpp"

#include <torch/optim/adam.h>
#include <torch/optim/sgd.h>

#include <string>
#include <vector>

namespace workloads::stgym::space {
namespace {

std::vector<at::Tensor> tensors_of(const NamedTensors& parameters) {
  std::vector<at::Tensor> tensors;
  for (const auto& [name, tensor] : parameters) tensors.push_back(tensor);
  return tensors;
}

std::vector<at::Tensor> zeros_like(const std::vector<at::Tensor>& parameters) {
  std::vector<at::Tensor> zeros;
  for (const auto& parameter : parameters) zeros.push_back(at::zeros_like(parameter.detach()));
  return zeros;
}

/// LibTorch's own, one operator for each parameter.
std::unique_ptr<torch::optim::Optimizer> plain(const std::vector<at::Tensor>& parameters,
                                               const OptimizerConfig& config) {
  if (config.optimizer == OptimizerType::adam)
    return std::make_unique<torch::optim::Adam>(
        parameters, torch::optim::AdamOptions(config.base_lr).weight_decay(config.weight_decay));
  return std::make_unique<torch::optim::SGD>(
      parameters,
      torch::optim::SGDOptions(config.base_lr).momentum(config.momentum).weight_decay(config.weight_decay));
}

}  // namespace

struct Optimizer::State {
  State(const NamedTensors& named, const OptimizerConfig& asked, bool one_operator);
  void step_adam();
  void step_sgd();
  std::vector<at::Tensor> gradients() const;

  OptimizerConfig config;
  bool fused;
  std::string zero_range, step_range;
  std::vector<at::Tensor> parameters;
  std::unique_ptr<torch::optim::Optimizer> own;
  // What the fused operators are given, lists of the same length: Adam's, and SGD's where it has momentum.
  std::vector<at::Tensor> means, squares, steps;
  std::vector<at::Tensor> momenta;
};

Optimizer::State::State(const NamedTensors& named, const OptimizerConfig& asked, bool one_operator)
    : config(asked), fused(one_operator), parameters(tensors_of(named)), own(plain(parameters, asked)) {
  // The names that Python's optimizers give their ranges, so that tools know them.
  const std::string name = config.optimizer == OptimizerType::adam ? "Adam" : "SGD";
  zero_range = "Optimizer.zero_grad#" + name + ".zero_grad";
  step_range = "Optimizer.step#" + name + ".step";
  if (!fused) return;
  if (config.optimizer == OptimizerType::adam) {
    means = zeros_like(parameters);
    squares = zeros_like(parameters);
    for (const auto& parameter : parameters) steps.push_back(at::zeros({}, parameter.options()));
  } else if (config.momentum != 0) {
    momenta = zeros_like(parameters);
  }
}

/// All parameters have one: they are one model's.
std::vector<at::Tensor> Optimizer::State::gradients() const {
  std::vector<at::Tensor> gradients;
  for (const auto& parameter : parameters) gradients.push_back(parameter.grad());
  return gradients;
}

void Optimizer::State::step_adam() {
  const torch::optim::AdamOptions defaults;
  at::_foreach_add_(steps, 1);
  at::_fused_adam_(parameters, gradients(), means, squares, /*max_exp_avg_sqs=*/{}, steps, config.base_lr,
                   std::get<0>(defaults.betas()), std::get<1>(defaults.betas()), config.weight_decay,
                   defaults.eps(), /*amsgrad=*/false, /*maximize=*/false);
}

/// Momenta begin at 0, so no step is a first one.
void Optimizer::State::step_sgd() {
  at::_fused_sgd_(parameters, gradients(), momenta, config.weight_decay, config.momentum, config.base_lr,
                  /*dampening=*/0, /*nesterov=*/false, /*maximize=*/false, /*is_first_step=*/false);
}

Optimizer::Optimizer(const NamedTensors& parameters, const OptimizerConfig& config, bool fused)
    : state_(std::make_unique<State>(parameters, config, fused)) {}
Optimizer::~Optimizer() = default;
Optimizer::Optimizer(Optimizer&&) noexcept = default;
Optimizer& Optimizer::operator=(Optimizer&&) noexcept = default;

void Optimizer::zero_grad() {
  const harness::Range range(state_->zero_range);
  state_->own->zero_grad();
}

void Optimizer::step() {
  const harness::Range range(state_->step_range);
  if (!state_->fused) {
    state_->own->step();
    return;
  }
  const c10::NoGradGuard no_gradients;
  if (state_->config.optimizer == OptimizerType::adam)
    state_->step_adam();
  else
    state_->step_sgd();
}

training::NotedState Optimizer::noted() const {
  std::vector<at::Tensor> tensors;
  for (const auto* list :
       {&state_->parameters, &state_->means, &state_->squares, &state_->steps, &state_->momenta})
    tensors.insert(tensors.end(), list->begin(), list->end());
  return {std::move(tensors), state_->own.get()};
}

void Optimizer::set_learning_rate(double rate) {
  state_->config.base_lr = rate;
  for (auto& group : state_->own->param_groups()) group.options().set_lr(rate);
}

}  // namespace workloads::stgym::space
