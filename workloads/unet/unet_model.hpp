// U-Net with padding and batch norm: four times down, from 64 to 1024 channels, and four times up again
// beside what was there on the way down. Its images with masks, drawn or read from a folder.
#pragma once

#include "workloads/training/dataset.hpp"
#include "workloads/training/network.hpp"

#include <filesystem>

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

constexpr std::int64_t image_size = 32;  // on a CPU

/// A bright disc and a dark box on grey, each image with its own; the noise has a third of their contrast.
/// Noise is drawn anew when a sample is asked for, and is the same each time.
training::Dataset noisy_shapes(std::int64_t training, std::int64_t validation, std::uint64_t seed,
                               std::int64_t side = image_size);

/// The same with the PNG and PGM files of a folder in the order of their names, the middle of each made as
/// small; of more than `training` + `validation` files the first. Throws BadInput for fewer than two images,
/// or one that cannot be read.
training::Dataset noisy_images(const std::filesystem::path& folder, std::int64_t training,
                               std::int64_t validation, std::uint64_t seed, std::int64_t side = image_size);

/// True for the names that read_image() reads: .png and .pgm, in any case.
bool is_image(const std::filesystem::path& file);

/// Bytes [height, width]; colours become grey, and what is transparent lies on black. Throws BadInput, naming
/// the file, where it is no such image, is cut, or has more than 64 million pixels.
at::Tensor read_image(const std::filesystem::path& file);

}  // namespace workloads::unet
