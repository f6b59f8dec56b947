#include "workloads/unet/unet_data.hpp"

#include "harness/core/setup.hpp"
#include "harness/libtorch/generator.hpp"
#include "harness/support/read_text.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <png.h>
#include <random>

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
  auto generator = harness::host_generator(seed);
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

constexpr std::int64_t most_pixels = 64'000'000;

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why) {
  throw harness::BadInput(fmt::format("{}: {}", file.string(), why));
}

std::string kind_of(const std::filesystem::path& file) {
  auto kind = file.extension().string();
  std::ranges::transform(kind, kind.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return kind;
}

at::Tensor room_for(const std::filesystem::path& file, std::int64_t height, std::int64_t width) {
  if (height < 1 || width < 1) refuse(file, "the image has no pixels");
  if (height > most_pixels / width)
    refuse(file, fmt::format("the image has {} x {} pixels; {} million are the most", width, height,
                             most_pixels / 1'000'000));
  return at::empty({height, width}, at::kByte);
}

/// libpng's image, freed with its owner.
struct Png {
  Png() {
    std::memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
  }
  Png(const Png&) = delete;
  Png& operator=(const Png&) = delete;
  ~Png() { png_image_free(&image); }
  png_image image;
};

at::Tensor read_png(const std::filesystem::path& file) {
  Png png;
  const auto broken = [&] {
    refuse(file, fmt::format("the file is not a whole PNG; libpng says: {}", png.image.message));
  };
  if (png_image_begin_read_from_file(&png.image, file.c_str()) == 0) broken();
  png.image.format = PNG_FORMAT_GRAY;
  auto pixels = room_for(file, png.image.height, png.image.width);
  const png_color black{0, 0, 0};
  if (png_image_finish_read(&png.image, &black, pixels.mutable_data_ptr(), 0, nullptr) == 0) broken();
  return pixels;
}

/// The next number of a PGM's head; -1 where there is none. A '#' begins a remark that ends with its line.
std::int64_t next_number(std::istream& in) {
  while (in >> std::ws && in.peek() == '#') in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  std::int64_t number = -1;
  return in >> number ? number : -1;
}

at::Tensor read_pgm(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (in.peek() == std::ifstream::traits_type::eof()) refuse(file, "the file is empty");
  char magic[2] = {};
  if (!in.read(magic, 2) || magic[0] != 'P' || magic[1] != '5')
    refuse(file, "the file is not a binary PGM (P5)");
  const auto width = next_number(in), height = next_number(in), most = next_number(in);
  if (most < 1 || most > 255) refuse(file, "a PGM's values must go from 0 to at most 255");
  auto pixels = room_for(file, height, width);
  in.get();  // the one blank behind the head
  if (!in.read(static_cast<char*>(pixels.mutable_data_ptr()), static_cast<std::streamsize>(pixels.numel())))
    refuse(file, fmt::format("the file ends before its {} x {} pixels do", width, height));
  if (const auto largest = pixels.max().item<std::int64_t>(); largest > most)
    refuse(file, fmt::format("a pixel is {}, and the head says that {} is the most", largest, most));
  return most == 255 ? pixels
                     : (pixels.to(at::kFloat) * (255.0 / static_cast<double>(most))).round().to(at::kByte);
}

/// True for the names that read_image() reads: .png and .pgm, in any case.
bool is_image(const std::filesystem::path& file) {
  const auto kind = kind_of(file);
  return kind == ".png" || kind == ".pgm";
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

at::Tensor read_image(const std::filesystem::path& file) {
  harness::require_file(file);
  return kind_of(file) == ".png" ? read_png(file) : read_pgm(file);
}

}  // namespace workloads::unet
