#include "microbench/format/conv_net.hpp"

#include "harness/cuda/require_device_memory.hpp"
#include "harness/libtorch/answer.hpp"

#include "microbench/values.hpp"

#include <c10/core/GradMode.h>

#include <cmath>

namespace microbench {
namespace {

constexpr int depth = 3;

/// A copy of its own; four-dimensional tensors in that format, others as they are.
at::Tensor copy_of(const at::Tensor& tensor, at::MemoryFormat format) {
  const auto plain = tensor.detach();
  return plain.dim() == 4 ? plain.clone(format) : plain.clone();
}

}  // namespace

at::Tensor convolve(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  constexpr std::int64_t one[] = {1, 1};
  return at::conv2d(x, weight, bias, /*stride=*/one, /*padding=*/one);
}

ConvNet::ConvNet(const harness::Setup& setup, ConvShape shape, std::int64_t batch, at::ScalarType result) {
  const auto options = at::TensorOptions().device(harness::torch_device(setup.device)).dtype(at::kFloat);
  const auto generator = generator_of(setup);
  const auto [side, channels] = shape;
  // So that each layer's output varies as much as its input.
  const double deviation = std::sqrt(2.0 / (9.0 * static_cast<double>(channels)));
  for (int i = 0; i < depth; ++i) {
    weights_.push_back(at::randn({channels, channels, 3, 3}, generator, options).mul_(deviation));
    biases_.emplace_back();
    scales_.push_back(at::ones({channels}, options));
    shifts_.push_back(at::zeros({channels}, options));
    means_.push_back(at::zeros({channels}, options));
    variances_.push_back(at::ones({channels}, options));
  }
  for (const auto& parameter : trained()) parameter.requires_grad_();
  images_ = at::randn({batch, channels, side, side}, generator, options);
  slope_ = at::randn({batch, channels, side, side}, generator, options).to(result);
}

std::vector<at::Tensor> ConvNet::trained() const {
  std::vector<at::Tensor> all;
  for (const auto* list : {&weights_, &biases_, &scales_, &shifts_})
    for (const auto& tensor : *list)
      if (tensor.defined()) all.push_back(tensor);
  return all;
}

ConvNet ConvNet::in_format(at::MemoryFormat format) const {
  auto other = *this;
  for (auto* list :
       {&other.weights_, &other.biases_, &other.scales_, &other.shifts_, &other.means_, &other.variances_})
    for (auto& tensor : *list)
      if (tensor.defined()) tensor = copy_of(tensor, format);
  for (const auto& parameter : other.trained()) parameter.requires_grad_();
  other.images_ = copy_of(images_, format);
  other.slope_ = copy_of(slope_, format);
  return other;
}

ConvNet ConvNet::with_bias() const {
  auto other = in_format(at::MemoryFormat::Contiguous);
  for (std::size_t i = 0; i < layers(); ++i)
    other.biases_[i] = at::full_like(shifts_[i].detach(), 0.5).requires_grad_();
  return other;
}

at::Tensor ConvNet::layer(std::size_t i, const at::Tensor& x, bool training) const {
  const auto y = convolve(x, weights_[i], biases_[i]);
  return at::relu(at::batch_norm(y, scales_[i], shifts_[i], means_[i], variances_[i], training,
                                 /*momentum=*/0.1, /*eps=*/1e-5, /*cudnn_enabled=*/true));
}

at::Tensor ConvNet::forward(bool training) const {
  auto x = images_;
  for (std::size_t i = 0; i < layers(); ++i) x = layer(i, x, training);
  return x;
}

void ConvNet::forget_gradients() const {
  for (const auto& parameter : trained()) parameter.mutable_grad() = at::Tensor();
}

std::int64_t ConvNet::parameters() const {
  std::int64_t count = 0;
  for (const auto& parameter : trained()) count += parameter.numel();
  return count;
}

harness::Answer ConvNet::first_gradient() const { return harness::numbers_of(weights_.front().grad()); }

void ConvNet::clear() const {
  forget_gradients();
  const auto& first = weights_.front();
  first.mutable_grad() = at::full_like(first.detach(), -1);
}

std::int64_t conv_batch(const harness::Device& device) { return device.is_cuda() ? 32 : 1; }

ConvNet fp32_net(const harness::Setup& setup, std::int64_t shape) {
  if (setup.device.is_cuda()) harness::require_device_memory(std::size_t{2} << 30);
  return {setup, conv_shapes[shape], conv_batch(setup.device), at::kFloat};
}

void training_pass(const ConvNet& net) {
  net.forget_gradients();
  net.backward(net.forward(/*training=*/true));
}

harness::Trial training_trial(const std::shared_ptr<const ConvNet>& naive,
                              const std::shared_ptr<const ConvNet>& optimized) {
  harness::Trial trial;
  trial.clear = [naive, optimized] {
    naive->clear();
    optimized->clear();
  };
  trial.answer = [naive, optimized](harness::Form form) {
    return (form == harness::Form::naive ? naive : optimized)->first_gradient();
  };
  return trial;
}

}  // namespace microbench
