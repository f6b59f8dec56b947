#include "microbench/precision/amp.hpp"

#include "harness/libtorch/work_counts.hpp"

#include <c10/core/GradMode.h>

#include <cmath>

namespace microbench {
namespace {

constexpr double learning_rate = 2;  // the loss is a mean over all outputs, so each gradient is small

}  // namespace

Mlp::Mlp(const harness::Setup& setup, MlpShape shape) {
  const auto options = at::TensorOptions().device(harness::torch_device(setup.device)).dtype(at::kFloat);
  auto generator = generator_of(setup);
  // As PyTorch's linear layers begin: evenly between plus and minus 1/sqrt(inputs).
  const double bound = 1 / std::sqrt(static_cast<double>(shape.width));
  for (std::int64_t layer = 0; layer < shape.layers; ++layer) {
    parameters_.push_back(
        at::empty({shape.width, shape.width}, options).uniform_(-bound, bound, generator).requires_grad_());
    parameters_.push_back(
        at::empty({shape.width}, options).uniform_(-bound, bound, generator).requires_grad_());
  }
  for (const auto& parameter : parameters_) start_.push_back(parameter.detach().clone());
  input_ = at::randn({shape.batch, shape.width}, generator, options);
  // Around 1, which the output layer learns in a few steps: so the curve shows whether steps were taken.
  target_ = at::randn({shape.batch, shape.width}, generator, options).mul_(0.1).add_(1);
}

at::Tensor Mlp::loss() {
  auto x = input_;
  for (std::size_t i = 0; i < parameters_.size(); i += 2) {
    if (i > 0) x = at::relu(x);
    x = at::linear(x, parameters_[i], parameters_[i + 1]);
  }
  auto result = at::mse_loss(x, target_);
  seen_ = result.detach();
  return result;
}

void Mlp::forget_gradients() {
  for (const auto& parameter : parameters_) parameter.mutable_grad() = at::Tensor();
}

std::vector<at::Tensor> Mlp::gradients() const {
  std::vector<at::Tensor> all;
  for (const auto& parameter : parameters_) all.push_back(parameter.grad());
  return all;
}

void Mlp::descend() {
  const c10::NoGradGuard no_grad;
  at::_foreach_add_(parameters_, gradients(), -learning_rate);
}

void Mlp::start_again() {
  const c10::NoGradGuard no_grad;
  at::_foreach_copy_(parameters_, start_);
}

void Mlp::clear() {
  start_again();
  seen_ = at::full({}, -1, start_.front().options());
}

harness::Answer Mlp::answer() const { return harness::numbers_of(seen_); }

void Mlp::drop_results() {
  forget_gradients();
  seen_ = at::Tensor();
}

std::size_t Mlp::bytes(MlpShape shape) {
  const auto copies = shape.layers * 3 * shape.width * (shape.width + 1);
  const auto passes = (2 + 3 * shape.layers) * shape.batch * shape.width;
  return static_cast<std::size_t>(copies + passes) * sizeof(float);
}

harness::Figure peak_figure(Mlp& mlp, const std::function<void()>& naive,
                            const std::function<void()>& optimized) {
  constexpr double mebibyte = 1 << 20;
  mlp.drop_results();  // those of the step before would count as if they were there anyway
  const auto of_naive = harness::peak_bytes(naive) / mebibyte;
  mlp.drop_results();
  return {"peak memory", "MiB", of_naive, harness::peak_bytes(optimized) / mebibyte};
}

}  // namespace microbench
