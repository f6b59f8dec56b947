#include "workloads/stgym/train/optimizer.hpp"

#include "harness/libtorch/range.hpp"

#include <torch/optim/adam.h>

namespace workloads::stgym {
namespace {

std::vector<at::Tensor> tensors_of(const NamedTensors& parameters) {
  std::vector<at::Tensor> tensors;
  for (const auto& [name, tensor] : parameters) tensors.push_back(tensor);
  return tensors;
}

/// What the fused operator is given: lists of the same length.
struct Moments {
  std::vector<at::Tensor> means, squares, steps;
};

Moments zero_moments(const std::vector<at::Tensor>& parameters) {
  const c10::NoGradGuard no_gradients;
  Moments moments;
  for (const auto& parameter : parameters) {
    moments.means.push_back(at::zeros_like(parameter));
    moments.squares.push_back(at::zeros_like(parameter));
    moments.steps.push_back(at::zeros({}, parameter.options().requires_grad(false)));
  }
  return moments;
}

}  // namespace

struct Adam::State {
  torch::optim::Adam adam;
  Settings settings;
  std::vector<at::Tensor> parameters;
  Moments moments;  // Settings::fused

  void fused_step();
};

/// All parameters have a gradient: they are one model's.
void Adam::State::fused_step() {
  const c10::NoGradGuard no_gradients;
  const auto& defaults = static_cast<const torch::optim::AdamOptions&>(adam.defaults());
  std::vector<at::Tensor> gradients;
  for (const auto& parameter : parameters) gradients.push_back(parameter.grad());
  at::_foreach_add_(moments.steps, 1);
  at::_fused_adam_(parameters, gradients, moments.means, moments.squares, /*max_exp_avg_sqs=*/{},
                   moments.steps, settings.learning_rate, std::get<0>(defaults.betas()),
                   std::get<1>(defaults.betas()), settings.weight_decay, defaults.eps(), /*amsgrad=*/false,
                   /*maximize=*/false);
}

Adam::Adam(const NamedTensors& parameters, const Settings& settings) {
  const auto tensors = tensors_of(parameters);
  const auto options = torch::optim::AdamOptions(settings.learning_rate).weight_decay(settings.weight_decay);
  state_ = std::make_unique<State>(State{torch::optim::Adam(tensors, options), settings, tensors,
                                         settings.fused ? zero_moments(tensors) : Moments{}});
}
Adam::~Adam() = default;
Adam::Adam(Adam&&) noexcept = default;
Adam& Adam::operator=(Adam&&) noexcept = default;

// The ranges have the names that Python's optimizers give theirs, so that tools know them.
void Adam::zero_grad() {
  const harness::Range range("Optimizer.zero_grad#Adam.zero_grad");
  state_->adam.zero_grad();
}
void Adam::step() {
  const harness::Range range("Optimizer.step#Adam.step");
  if (state_->settings.fused)
    state_->fused_step();
  else
    state_->adam.step();
}
void Adam::set_learning_rate(double rate) {
  state_->settings.learning_rate = rate;
  for (auto& group : state_->adam.param_groups()) group.options().set_lr(rate);
}

}  // namespace workloads::stgym
