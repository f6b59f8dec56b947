// ResNet-50: bottlenecks of three convolutions with a shortcut around them. The stride is in the 3x3
// convolution, as in torchvision, and not in the first 1x1, as in the paper. Its images with classes:
// CIFAR-10's binary files, or drawn ones.
#pragma once

#include "workloads/training/dataset.hpp"
#include "workloads/training/network.hpp"

#include <filesystem>

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

constexpr std::int64_t image_classes = 10;
constexpr std::int64_t image_size = 64;  // on a CPU

/// Stripes in noise, each image with its own colour, width and place; the class is the stripes' angle.
training::Dataset drawn_images(std::int64_t training, std::int64_t validation, std::uint64_t seed,
                               std::int64_t side = image_size);

/// A folder with data_batch_1.bin to data_batch_5.bin, to learn from, and test_batch.bin, to validate:
/// records of a label's byte and 3 x 32 x 32 bytes of red, green and blue. Images are enlarged to the side.
/// Takes so many of them at most. Throws BadInput where a file is missing, empty or not of this form.
training::Dataset read_cifar10(const std::filesystem::path& folder, std::int64_t training,
                               std::int64_t validation, std::int64_t side = image_size);

}  // namespace workloads::resnet50
