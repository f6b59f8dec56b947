// A few layers as ResNet stacks them: 3 x 3 convolution, batch normalization, ReLU.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/core/step.hpp"

#include <ATen/core/Tensor.h>

namespace microbench {

/// The four stages of ResNet-50 have these sides of the image and channels in their 3 x 3 convolutions. All
/// cost about the same arithmetic.
struct ConvShape {
  std::int64_t side = 0;
  std::int64_t channels = 0;
};
inline constexpr ConvShape conv_shapes[] = {{56, 64}, {28, 128}, {14, 256}, {7, 512}};

/// The axis of a step that goes through `shapes`; all where none are given.
constexpr harness::Axis conv_shape_axis(harness::Few<std::int64_t> shapes = {}) {
  return {.name = "shape",
          .about = "side of the image x channels, as in ResNet-50's stages",
          .values = shapes,
          .quick = {0},
          .labels = {"56x64", "28x128", "14x256", "7x512"}};
}

/// A 3 x 3 convolution that keeps the image's size.
at::Tensor convolve(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

/// Parameters in FP32, one batch of images, and the gradient to go back from.
class ConvNet {
 public:
  /// `result` is the type in which the network's output arrives.
  ConvNet(const harness::Setup& setup, ConvShape shape, std::int64_t batch, at::ScalarType result);

  /// The same network and data, with images and convolutions' weights in that format.
  ConvNet in_format(at::MemoryFormat format) const;
  /// The same network and data, with a bias in each convolution.
  ConvNet with_bias() const;

  std::size_t layers() const { return weights_.size(); }
  const at::Tensor& images() const { return images_; }
  /// One layer. In training, normalization is by the batch, else by averages.
  at::Tensor layer(std::size_t i, const at::Tensor& x, bool training) const;
  /// All layers on the batch.
  at::Tensor forward(bool training) const;

  void forget_gradients() const;
  /// Goes back from a fixed random gradient of what `forward` gave in training.
  void backward(const at::Tensor& out) const { out.backward(slope_); }

  std::int64_t parameters() const;
  /// The gradient of the first weights: all layers had to go forward and back for it.
  harness::Answer first_gradient() const;
  /// Makes an earlier gradient unreadable.
  void clear() const;

 private:
  std::vector<at::Tensor> trained() const;
  std::vector<at::Tensor> weights_, biases_, scales_, shifts_, means_, variances_;  // one of each a layer
  at::Tensor images_, slope_;
};

/// Images of a batch: enough to fill a device, and one for the CPU.
std::int64_t conv_batch(const harness::Device& device);

/// The network of a step that trains in FP32. Throws Skip where the device's memory is too small.
ConvNet fp32_net(const harness::Setup& setup, std::int64_t shape);

/// Forward and backward pass in training, without the gradients of the pass before.
void training_pass(const ConvNet& net);

/// Everything of a trial but its two forms, each of which trains its own network.
harness::Trial training_trial(const std::shared_ptr<const ConvNet>& naive,
                              const std::shared_ptr<const ConvNet>& optimized);

}  // namespace microbench
