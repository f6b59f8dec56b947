#include "workloads/stgym/space/optimizer.hpp"

#include "harness/libtorch/range.hpp"

#include "workloads/stgym/train/optimizer.hpp"

#include <torch/optim/sgd.h>

#include <variant>
#include <vector>

namespace workloads::stgym::space {
namespace {

class Sgd {
 public:
  Sgd(const NamedTensors& parameters, const OptimizerConfig& config, bool fused);

  void zero_grad();
  void step();
  void set_learning_rate(double rate);

 private:
  void fused_step();

  OptimizerConfig config_;
  bool fused_;
  std::vector<at::Tensor> parameters_;
  std::vector<at::Tensor> momenta_;  // fused, and only if there is momentum
  torch::optim::SGD sgd_;
};

std::vector<at::Tensor> tensors_of(const NamedTensors& parameters) {
  std::vector<at::Tensor> tensors;
  for (const auto& [name, tensor] : parameters) tensors.push_back(tensor);
  return tensors;
}

torch::optim::SGDOptions options_of(const OptimizerConfig& config) {
  return torch::optim::SGDOptions(config.base_lr).momentum(config.momentum).weight_decay(config.weight_decay);
}

Sgd::Sgd(const NamedTensors& parameters, const OptimizerConfig& config, bool fused)
    : config_(config),
      fused_(fused),
      parameters_(tensors_of(parameters)),
      sgd_(parameters_, options_of(config)) {
  if (!fused || config.momentum == 0) return;
  for (const auto& parameter : parameters_) momenta_.push_back(at::zeros_like(parameter.detach()));
}

void Sgd::zero_grad() {
  const harness::Range range("Optimizer.zero_grad#SGD.zero_grad");
  sgd_.zero_grad();
}

void Sgd::step() {
  const harness::Range range("Optimizer.step#SGD.step");
  if (fused_)
    fused_step();
  else
    sgd_.step();
}

/// All parameters have a gradient: they are one model's. Momenta begin at 0, so no step is a first one.
void Sgd::fused_step() {
  const c10::NoGradGuard no_gradients;
  std::vector<at::Tensor> gradients;
  for (const auto& parameter : parameters_) gradients.push_back(parameter.grad());
  at::_fused_sgd_(parameters_, gradients, momenta_, config_.weight_decay, config_.momentum, config_.base_lr,
                  /*dampening=*/0, /*nesterov=*/false, /*maximize=*/false, /*is_first_step=*/false);
}

void Sgd::set_learning_rate(double rate) {
  config_.base_lr = rate;
  for (auto& group : sgd_.param_groups()) group.options().set_lr(rate);
}

using Kind = std::variant<Adam, Sgd>;

Kind make(const NamedTensors& parameters, const OptimizerConfig& config, bool fused) {
  if (config.optimizer == OptimizerType::sgd) return Sgd(parameters, config, fused);
  return Adam(parameters, {config.base_lr, config.weight_decay, fused});
}

}  // namespace

struct Optimizer::State {
  Kind kind;
};

Optimizer::Optimizer(const NamedTensors& parameters, const OptimizerConfig& config, bool fused)
    : state_(std::make_unique<State>(State{make(parameters, config, fused)})) {}
Optimizer::~Optimizer() = default;
Optimizer::Optimizer(Optimizer&&) noexcept = default;
Optimizer& Optimizer::operator=(Optimizer&&) noexcept = default;

void Optimizer::zero_grad() {
  std::visit([](auto& kind) { kind.zero_grad(); }, state_->kind);
}
void Optimizer::step() {
  std::visit([](auto& kind) { kind.step(); }, state_->kind);
}
void Optimizer::set_learning_rate(double rate) {
  std::visit([rate](auto& kind) { kind.set_learning_rate(rate); }, state_->kind);
}

}  // namespace workloads::stgym::space
