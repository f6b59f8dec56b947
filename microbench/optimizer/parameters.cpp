#include "microbench/optimizer/parameters.hpp"

#include "harness/cuda/require_device_memory.hpp"
#include "harness/libtorch/answer.hpp"
#include "harness/libtorch/generator.hpp"

#include <ATen/ATen.h>

#include <cmath>

namespace microbench {
namespace {

constexpr double rate = 0.01;
constexpr double beta1 = 0.9;
constexpr double beta2 = 0.999;
constexpr double epsilon = 1e-8;
constexpr std::int64_t most_values_compared = 4096;  // of one parameter

}  // namespace

Parameters::Parameters(const harness::Setup& setup, std::int64_t tensors, std::int64_t numel) {
  const auto device = harness::torch_device(setup.device);
  const auto generator = harness::host_generator(setup.seed);
  const auto values = at::randn({numel}, generator).to(device);
  for (std::int64_t i = 0; i < tensors; ++i) {
    // Shifted, so that no two parameters are alike.
    start_.push_back(values.roll(i));
    grads_.push_back(values.roll(i + 1).mul_(0.5));
    params_.push_back(at::empty_like(values));
    means_.push_back(at::empty_like(values));
    squares_.push_back(at::empty_like(values));
    steps_.push_back(at::zeros({}, values.options()));
  }
  device_step_ = at::zeros({}, values.options());
  reset();
}

void Parameters::reset() {
  for (std::size_t i = 0; i < params_.size(); ++i) params_[i].copy_(start_[i]);
  at::_foreach_zero_(means_);
  at::_foreach_zero_(squares_);
  at::_foreach_zero_(steps_);
  device_step_.zero_();
  step_ = 0;
}

void Parameters::step_by_tensor() {
  ++step_;
  const auto step_size = rate / (1 - std::pow(beta1, step_));
  const auto scale = std::sqrt(1 - std::pow(beta2, step_));
  for (std::size_t i = 0; i < params_.size(); ++i) {
    means_[i].lerp_(grads_[i], 1 - beta1);
    squares_[i].mul_(beta2).addcmul_(grads_[i], grads_[i], 1 - beta2);
    const auto denominator = at::sqrt(squares_[i]).div_(scale).add_(epsilon);
    params_[i].addcdiv_(means_[i], denominator, -step_size);
  }
}

void Parameters::step_foreach() {
  ++step_;
  const auto step_size = rate / (1 - std::pow(beta1, step_));
  const auto scale = std::sqrt(1 - std::pow(beta2, step_));
  at::_foreach_lerp_(means_, grads_, 1 - beta1);
  at::_foreach_mul_(squares_, beta2);
  at::_foreach_addcmul_(squares_, grads_, grads_, 1 - beta2);
  const auto denominators = at::_foreach_sqrt(squares_);
  at::_foreach_div_(denominators, scale);
  at::_foreach_add_(denominators, epsilon);
  at::_foreach_addcdiv_(params_, means_, denominators, -step_size);
}

void Parameters::step_fused() {
  at::_foreach_add_(steps_, 1);
  at::_fused_adam_(params_, grads_, means_, squares_, /*max_exp_avg_sqs=*/at::TensorList(), steps_, rate,
                   beta1, beta2, /*weight_decay=*/0.0, epsilon, /*amsgrad=*/false, /*maximize=*/false);
}

void Parameters::step_by_tensor_on_device() {
  device_step_.add_(1);
  const auto step_size = at::pow(beta1, device_step_).neg_().add_(1).reciprocal_().mul_(-rate);
  const auto scale = at::pow(beta2, device_step_).neg_().add_(1).sqrt_();
  for (std::size_t i = 0; i < params_.size(); ++i) {
    means_[i].lerp_(grads_[i], 1 - beta1);
    squares_[i].mul_(beta2).addcmul_(grads_[i], grads_[i], 1 - beta2);
    const auto denominator = at::sqrt(squares_[i]).div_(scale).add_(epsilon).div_(step_size);
    params_[i].addcdiv_(means_[i], denominator);
  }
}

std::vector<at::Tensor> Parameters::all() const {
  std::vector<at::Tensor> tensors{device_step_};
  for (const auto* list : {&params_, &grads_, &means_, &squares_})
    tensors.insert(tensors.end(), list->begin(), list->end());
  return tensors;
}

harness::Answer Parameters::values() const {
  std::vector<at::Tensor> parts;
  for (const auto& param : params_)
    parts.push_back(param.narrow(0, 0, std::min(param.size(0), most_values_compared)));
  return harness::numbers_of(at::cat(parts));
}

bool list_fits(const harness::Point& point, const harness::Device& device) {
  constexpr std::int64_t most_on_cpu = 1 << 17;
  constexpr std::int64_t most = 1 << 27;
  return point["tensors"] * point["numel"] <= (device.is_cuda() ? most : most_on_cpu);
}

void require_room(const harness::Setup& setup, std::int64_t tensors, std::int64_t numel) {
  if (setup.device.is_cuda())
    harness::require_device_memory(static_cast<std::size_t>(tensors * numel) * sizeof(float) * 7);
}

}  // namespace microbench
