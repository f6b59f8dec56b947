#include "workloads/resnet50/resnet50_model.hpp"

#include <ATen/ATen.h>

#include <memory>

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

}  // namespace workloads::resnet50
