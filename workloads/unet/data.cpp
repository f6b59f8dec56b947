#include "workloads/unet/data.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/folder.hpp"

#include "workloads/unet/read_image.hpp"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

namespace workloads::unet {
namespace {

constexpr double noise_spread = 0.3;

/// From -1 to 1.
at::Tensor shapes(std::uint64_t seed, std::int64_t side) {
  std::mt19937_64 random(seed);
  const auto somewhere = [&] { return static_cast<double>(random() % static_cast<std::uint64_t>(side)); };
  const auto rows = at::arange(side, at::kFloat).view({1, side, 1});
  const auto columns = at::arange(side, at::kFloat).view({1, 1, side});
  const auto radius = 3 + somewhere() / 4, half = 3 + somewhere() / 4;
  const auto disc = (rows - somewhere()).square() + (columns - somewhere()).square() < radius * radius;
  const auto box = at::maximum((rows - somewhere()).abs(), (columns - somewhere()).abs()) < half;
  return disc.to(at::kFloat) - box.to(at::kFloat);
}

std::uint64_t sample_seed(std::uint64_t seed, std::int64_t i) {
  return seed * 1'000'003 + static_cast<std::uint64_t>(i);
}

training::Sample noisy(const at::Tensor& image, std::uint64_t seed) {
  auto generator = at::make_generator<at::CPUGeneratorImpl>(seed);
  const auto noise =
      noise_spread * at::randn(image.sizes(), generator, at::TensorOptions().dtype(at::kFloat));
  return {image + noise, noise};
}

/// Bytes [1, to, to]: the largest square in the middle, made smaller or larger.
at::Tensor middle_of(const at::Tensor& image, std::int64_t to) {
  const auto height = image.size(0), width = image.size(1), side = std::min(height, width);
  const auto square = image.narrow(0, (height - side) / 2, side).narrow(1, (width - side) / 2, side);
  const auto resized = at::_upsample_bilinear2d_aa(square.to(at::kFloat).view({1, 1, side, side}), {to, to},
                                                   /*align_corners=*/false);
  return resized.round().clamp(0, 255).to(at::kByte).squeeze(0);
}

}  // namespace

training::Dataset noisy_shapes(std::int64_t training, std::int64_t validation, std::uint64_t seed,
                               std::int64_t side) {
  return {.source = "noisy shapes",
          .training = training,
          .validation = validation,
          .get = [seed, side](std::int64_t i) {
            const auto own_seed = sample_seed(seed, i);
            return noisy(shapes(own_seed, side), own_seed);
          }};
}

training::Dataset noisy_images(const std::filesystem::path& folder, std::int64_t training,
                               std::int64_t validation, std::uint64_t seed, std::int64_t side) {
  const auto files = harness::files_in(folder, is_image);
  const auto count = static_cast<std::int64_t>(files.size());
  if (count < 2)
    throw harness::BadInput(
        fmt::format("{}: {} PNG or PGM images are too few; training and validation take one each",
                    folder.string(), count));
  const auto validating = std::min(validation, count / 2);
  const auto learned = std::min(training, count - validating);
  std::vector<at::Tensor> images;
  for (std::int64_t i = 0; i < learned + validating; ++i)
    images.push_back(middle_of(read_image(files[static_cast<std::size_t>(i)]), side));
  return {.source = folder.string(),
          .training = learned,
          .validation = validating,
          .what = "images",
          .get = [images = std::move(images), seed](std::int64_t i) {
            const auto& image = images[static_cast<std::size_t>(i)];
            return noisy(image.to(at::kFloat).div(127.5).sub(1), sample_seed(seed, i));
          }};
}

}  // namespace workloads::unet
