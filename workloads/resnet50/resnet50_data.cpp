#include "workloads/resnet50/resnet50_data.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/read_text.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <random>

namespace workloads::resnet50 {
namespace {

using training::Dataset;
using training::Sample;

constexpr std::int64_t cifar_size = 32;
constexpr std::size_t pixels = 3 * cifar_size * cifar_size;
constexpr std::size_t record = 1 + pixels;
constexpr std::uint64_t most_file_bytes = std::uint64_t{1} << 30;

/// Bytes as a network wants them: from -1 to 1.
at::Tensor normalized(const at::Tensor& bytes) { return bytes.to(at::kFloat).div_(127.5).sub_(1); }

void draw(std::uint8_t* image, std::int64_t side, std::int64_t label, std::mt19937_64& random) {
  std::uniform_real_distribution<double> share(0, 1);
  const auto angle = std::numbers::pi * static_cast<double>(label) / image_classes;
  const auto width = 0.4 + 0.4 * share(random);
  const auto phase = 2 * std::numbers::pi * share(random);
  for (int channel = 0; channel < 3; ++channel) {
    const auto strength = 40 + 60 * share(random);
    for (std::int64_t y = 0; y < side; ++y)
      for (std::int64_t x = 0; x < side; ++x) {
        const auto across =
            std::cos(angle) * static_cast<double>(x) + std::sin(angle) * static_cast<double>(y);
        const auto value = 128 + strength * std::sin(width * across + phase) + 40 * (share(random) - 0.5);
        *image++ = static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0));
      }
  }
}

std::string bytes_of(const std::filesystem::path& file) {
  harness::require_regular_file(file);  // a pipe among them would be waited for
  auto bytes = harness::read_text(file, most_file_bytes);
  if (bytes.empty()) throw harness::BadInput(fmt::format("{}: the file is empty", file.string()));
  if (bytes.size() % record != 0)
    throw harness::BadInput(
        fmt::format("{}: {} bytes are not a whole number of CIFAR-10's records of {} bytes", file.string(),
                    bytes.size(), record));
  for (std::size_t at = 0; at < bytes.size(); at += record)
    if (static_cast<unsigned char>(bytes[at]) >= image_classes)
      throw harness::BadInput(fmt::format("{}: record {}: the label {} is not one of 0 to 9", file.string(),
                                          at / record + 1, static_cast<unsigned char>(bytes[at])));
  return bytes;
}

/// Images [n, 3, 32, 32] in bytes and their labels, `most` at most.
Sample images_of(const std::string& bytes, std::int64_t most) {
  const auto count = std::min(most, static_cast<std::int64_t>(bytes.size() / record));
  auto images = at::empty({count, 3, cifar_size, cifar_size}, at::kByte);
  auto labels = at::empty({count}, at::kLong);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto* from = bytes.data() + static_cast<std::size_t>(i) * record;
    labels[i] = static_cast<std::int64_t>(*from);
    std::memcpy(images[i].mutable_data_ptr(), from + 1, pixels);
  }
  return {images, labels};
}

at::Tensor enlarged(const at::Tensor& image, std::int64_t side) {
  return at::upsample_bilinear2d(image.unsqueeze(0), {side, side}, /*align_corners=*/false).squeeze(0);
}

}  // namespace

Dataset drawn_images(std::int64_t training, std::int64_t validation, std::uint64_t seed, std::int64_t side) {
  const auto count = training + validation;
  const auto images = at::empty({count, 3, side, side}, at::kByte);
  const auto labels = at::empty({count}, at::kLong);
  std::mt19937_64 random(seed);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto label = static_cast<std::int64_t>(random() % image_classes);
    labels[i] = label;
    draw(images[i].mutable_data_ptr<std::uint8_t>(), side, label, random);
  }
  return {
      .source = "drawn images", .training = training, .validation = validation, .get = [=](std::int64_t i) {
        return Sample{normalized(images[i]), labels[i]};
      }};
}

Dataset read_cifar10(const std::filesystem::path& folder, std::int64_t training, std::int64_t validation,
                     std::int64_t side) {
  std::vector<at::Tensor> images, labels;
  std::int64_t learned = 0;
  for (int number = 1; number <= 5; ++number) {
    const auto bytes = bytes_of(folder / fmt::format("data_batch_{}.bin", number));
    const auto part = images_of(bytes, training - learned);
    learned += part.input.size(0);
    images.push_back(part.input);
    labels.push_back(part.target);
  }
  const auto test = images_of(bytes_of(folder / "test_batch.bin"), validation);
  images.push_back(test.input);
  labels.push_back(test.target);
  const auto all_images = at::cat(images), all_labels = at::cat(labels);
  return {.source = folder.string(),
          .training = learned,
          .validation = test.input.size(0),
          .what = "images",
          .get = [=](std::int64_t i) {
            return Sample{enlarged(normalized(all_images[i]), side), all_labels[i]};
          }};
}

}  // namespace workloads::resnet50
