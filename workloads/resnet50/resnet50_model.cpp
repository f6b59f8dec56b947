#include "workloads/resnet50/resnet50_model.hpp"

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

using training::Channels;
using training::Mode;
using training::State;
using training::Window;

constexpr std::int64_t expansion = 4;
constexpr std::int64_t first_channels = 64;
constexpr std::int64_t last_channels = 2048;

constexpr Window one_by_one{.size = 1, .stride = 1, .padding = 0};

struct Stage {
  const char* name;
  std::int64_t width;
  int blocks;
};
constexpr Stage stages[] = {{"layer1", 64, 3}, {"layer2", 128, 4}, {"layer3", 256, 6}, {"layer4", 512, 3}};

/// The first block of each stage but the first halves height and width.
std::vector<Bottleneck> make_blocks(State& state) {
  std::vector<Bottleneck> blocks;
  auto in = first_channels;
  for (const auto& stage : stages)
    for (int i = 0; i < stage.blocks; ++i) {
      const bool halves = i == 0 && stage.width != first_channels;
      blocks.emplace_back(state, std::string(stage.name) + "." + std::to_string(i), Channels{in, stage.width},
                          halves ? 2 : 1);
      in = stage.width * expansion;
    }
  return blocks;
}

}  // namespace

Bottleneck::Bottleneck(State& state, const std::string& name, Channels channels, std::int64_t stride)
    : conv1_(state, name + ".conv1", channels, one_by_one),
      bn1_(state, name + ".bn1", channels.out),
      conv2_(state, name + ".conv2", {channels.out, channels.out}, {.stride = stride}),
      bn2_(state, name + ".bn2", channels.out),
      conv3_(state, name + ".conv3", {channels.out, channels.out * expansion}, one_by_one),
      bn3_(state, name + ".bn3", channels.out * expansion) {
  const auto out = channels.out * expansion;
  if (stride == 1 && channels.in == out) return;
  shortcut_.emplace(state, name + ".downsample.0", Channels{channels.in, out},
                    Window{.size = 1, .stride = stride, .padding = 0});
  shortcut_norm_.emplace(state, name + ".downsample.1", out);
}

at::Tensor Bottleneck::operator()(const at::Tensor& x, Mode mode) const {
  auto y = bn1_(conv1_(x), mode).relu_();
  y = bn2_(conv2_(y), mode).relu_();
  y = bn3_(conv3_(y), mode);
  return (y += shortcut_ ? (*shortcut_norm_)((*shortcut_)(x), mode) : x).relu_();
}

Model::Model(std::int64_t classes, at::TensorOptions options)
    : state_(options),
      conv1_(state_, "conv1", {3, first_channels}, {.size = 7, .stride = 2, .padding = 3}),
      bn1_(state_, "bn1", first_channels),
      blocks_(make_blocks(state_)),
      fc_(state_, "fc", {last_channels, classes}) {}

at::Tensor Model::forward(const at::Tensor& images, Mode mode) const {
  auto x = bn1_(conv1_(images), mode).relu_();
  x = at::max_pool2d(x, 3, 2, 1);
  for (const auto& block : blocks_) x = block(x, mode);
  return fc_(at::flatten(at::adaptive_avg_pool2d(x, {1, 1}), 1));
}

training::Network network(std::int64_t classes, at::TensorOptions options) {
  const auto model = std::make_shared<Model>(classes, options);
  return {.predict = [model](const at::Tensor& input, const training::Switches&,
                             training::Mode mode) { return model->forward(input, mode); },
          .loss = [](const at::Tensor& output,
                     const at::Tensor& target) { return at::cross_entropy_loss(output, target); },
          .parameters = model->state().parameters(),
          .buffers = model->state().buffers(),
          // Each block begins as its shortcut (Goyal et al., arXiv 1706.02677, section 5.1). Otherwise the
          // first gradients are some ninety times as large, and BF16's rounding turns most of them elsewhere.
          .closed_norms = ".bn3.weight"};
}

std::string_view python() {
  return R"python(
def normed(x, convolution, norm, p, b, stride=1, padding=0):
    return batch_norm(F.conv2d(x, p[convolution + ".weight"], None, stride, padding), norm, p, b)

def bottleneck(x, name, stride, p, b):
    y = F.relu(normed(x, name + ".conv1", name + ".bn1", p, b))
    y = F.relu(normed(y, name + ".conv2", name + ".bn2", p, b, stride, 1))
    y = normed(y, name + ".conv3", name + ".bn3", p, b)
    shortcut = name + ".downsample."
    if shortcut + "0.weight" in p:
        x = normed(x, shortcut + "0", shortcut + "1", p, b, stride)
    return F.relu(y + x)

def output_of(x, p, b):
    x = F.max_pool2d(F.relu(normed(x, "conv1", "bn1", p, b, 2, 3)), 3, 2, 1)
    for layer, blocks in enumerate([3, 4, 6, 3], 1):
        for i in range(blocks):
            x = bottleneck(x, f"layer{layer}.{i}", 2 if i == 0 and layer > 1 else 1, p, b)
    return F.linear(x.mean((2, 3)), p["fc.weight"], p["fc.bias"])

def loss_of(output, y):
    return F.cross_entropy(output, y)
)python";
}

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
