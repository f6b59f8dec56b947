#include "microbench/loop/small_training.hpp"

#include "microbench/values.hpp"

#include <c10/core/GradMode.h>

#include <cmath>

namespace microbench {
namespace {

constexpr int layers_of_small = 3;

}  // namespace

SmallTraining::SmallTraining(const harness::Setup& setup, std::int64_t width, std::int64_t batch)
    : input_(normal_values(setup, {batch, width}, 1)),
      target_(normal_values(setup, {batch, width}, 2)),
      other_input_(normal_values(setup, {batch, width}, 3)),
      other_target_(normal_values(setup, {batch, width}, 4)) {
  const auto spread = std::sqrt(1 / static_cast<double>(width));
  for (int i = 0; i < layers_of_small; ++i) {
    first_.push_back(normal_values(setup, {width, width}, 10 + static_cast<std::uint64_t>(i)).mul_(spread));
    weights_.push_back(first_.back().clone().requires_grad_());
  }
}

void SmallTraining::restart() {
  const c10::NoGradGuard no_gradients;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    weights_[i].copy_(first_[i]);
    weights_[i].mutable_grad().reset();
  }
}

at::Tensor SmallTraining::loss_of(const at::Tensor& input, const at::Tensor& target) const {
  auto x = input;
  for (const auto& weight : weights_) x = at::tanh(at::mm(x, weight));
  return at::mse_loss(x, target);
}

at::Tensor SmallTraining::step() {
  constexpr double rate = 0.05;
  const auto loss = loss_of(input_, target_);
  loss.backward();
  const c10::NoGradGuard no_gradients;
  for (auto& weight : weights_) {
    weight.add_(weight.grad(), -rate);
    weight.mutable_grad().reset();
  }
  return loss.detach();
}

at::Tensor SmallTraining::validate() const {
  const c10::NoGradGuard no_gradients;
  return loss_of(other_input_, other_target_);
}

std::vector<at::Tensor> SmallTraining::state() const {
  std::vector<at::Tensor> all;
  for (const auto& weight : weights_) all.push_back(weight.detach());
  return all;
}

}  // namespace microbench
