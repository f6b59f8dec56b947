// ResNet-50: bottlenecks of three convolutions with a shortcut around them. The stride is in the 3x3
// convolution, as in torchvision, and not in the first 1x1, as in the paper.
#pragma once

#include "workloads/training/network.hpp"

#include <optional>

namespace workloads::resnet50 {

/// 1x1 to fewer channels, 3x3, 1x1 to four times as many, and the input added.
class Bottleneck {
 public:
  Bottleneck(training::State& state, const std::string& name, training::Channels channels,
             std::int64_t stride);
  at::Tensor operator()(const at::Tensor& x, training::Mode mode) const;

 private:
  training::Convolution conv1_;
  training::BatchNorm bn1_;
  training::Convolution conv2_;
  training::BatchNorm bn2_;
  training::Convolution conv3_;
  training::BatchNorm bn3_;
  std::optional<training::Convolution> shortcut_;  // where the shape changes
  std::optional<training::BatchNorm> shortcut_norm_;
};

class Model {
 public:
  Model(std::int64_t classes, at::TensorOptions options);

  /// Logits [n, classes] of images [n, 3, height, width].
  at::Tensor forward(const at::Tensor& images, training::Mode mode) const;

  training::State& state() { return state_; }

 private:
  training::State state_;
  training::Convolution conv1_;
  training::BatchNorm bn1_;
  std::vector<Bottleneck> blocks_;
  training::Linear fc_;
};

/// The model as the training loop knows it. The loss is the cross entropy of logits against class numbers
/// [n].
training::Network network(std::int64_t classes, at::TensorOptions options);

/// The same for torch's compiler: training::CompiledWork::python.
std::string_view python();

}  // namespace workloads::resnet50
