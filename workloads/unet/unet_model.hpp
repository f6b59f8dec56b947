// U-Net with padding and batch norm: four times down, from 64 to 1024 channels, and four times up again
// beside what was there on the way down.
#pragma once

#include "workloads/training/network.hpp"

namespace workloads::unet {

/// Twice: a 3x3 convolution, a norm, ReLU.
class DoubleConvolution {
 public:
  DoubleConvolution(training::State& state, const std::string& name, training::Channels channels);
  at::Tensor operator()(const at::Tensor& x, training::Mode mode) const;

 private:
  training::Convolution first_;
  training::BatchNorm first_norm_;
  training::Convolution second_;
  training::BatchNorm second_norm_;
};

/// Twice as wide and high with half the channels, then beside `across` through a double convolution.
class Up {
 public:
  Up(training::State& state, const std::string& name, training::Channels channels);
  at::Tensor operator()(const at::Tensor& x, const at::Tensor& across, training::Mode mode) const;

 private:
  at::Tensor weight_, bias_;
  DoubleConvolution convolution_;
};

class Model {
 public:
  /// One channel in and one out: the model finds the noise in a grey image.
  explicit Model(at::TensorOptions options);

  /// [n, 1, height, width] of images of that shape; height and width are multiples of 16.
  at::Tensor forward(const at::Tensor& images, training::Mode mode) const;

  training::State& state() { return state_; }

 private:
  training::State state_;
  DoubleConvolution in_;
  std::vector<DoubleConvolution> down_;
  std::vector<Up> up_;
  at::Tensor out_weight_, out_bias_;
};

/// The model as the training loop knows it. The loss is the mean squared error to the noise in the image.
training::Network network(at::TensorOptions options);

/// The same for torch's compiler: training::CompiledWork::python.
std::string_view python();

}  // namespace workloads::unet
