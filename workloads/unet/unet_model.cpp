#include "workloads/unet/unet_model.hpp"

#include <ATen/ATen.h>

#include <memory>

namespace workloads::unet {
namespace {

using training::Channels;
using training::Mode;
using training::State;

constexpr std::int64_t first_channels = 64;
constexpr int depth = 4;

std::vector<DoubleConvolution> make_down(State& state) {
  std::vector<DoubleConvolution> down;
  auto channels = first_channels;
  for (int i = 1; i <= depth; ++i, channels *= 2)
    down.emplace_back(state, "down" + std::to_string(i) + ".maxpool_conv.1",
                      Channels{channels, 2 * channels});
  return down;
}

std::vector<Up> make_up(State& state) {
  std::vector<Up> up;
  auto channels = first_channels << depth;
  for (int i = 1; i <= depth; ++i, channels /= 2)
    up.emplace_back(state, "up" + std::to_string(i), Channels{channels, channels / 2});
  return up;
}

}  // namespace

DoubleConvolution::DoubleConvolution(State& state, const std::string& name, Channels channels)
    : first_(state, name + ".double_conv.0", channels, {}),
      first_norm_(state, name + ".double_conv.1", channels.out),
      second_(state, name + ".double_conv.3", {channels.out, channels.out}, {}),
      second_norm_(state, name + ".double_conv.4", channels.out) {}

at::Tensor DoubleConvolution::operator()(const at::Tensor& x, Mode mode) const {
  const auto y = first_norm_(first_(x), mode).relu_();
  return second_norm_(second_(y), mode).relu_();
}

Up::Up(State& state, const std::string& name, Channels channels)
    : weight_(state.parameter(name + ".up.weight", {channels.in, channels.out, 2, 2})),
      bias_(state.parameter(name + ".up.bias", {channels.out})),
      convolution_(state, name + ".conv", channels) {}

at::Tensor Up::operator()(const at::Tensor& x, const at::Tensor& across, Mode mode) const {
  const auto larger = at::conv_transpose2d(x, weight_, bias_, /*stride=*/2);
  return convolution_(at::cat({across, larger}, 1), mode);
}

Model::Model(at::TensorOptions options)
    : state_(options),
      in_(state_, "inc", {1, first_channels}),
      down_(make_down(state_)),
      up_(make_up(state_)),
      out_weight_(state_.parameter("outc.conv.weight", {1, first_channels, 1, 1})),
      out_bias_(state_.parameter("outc.conv.bias", {1})) {}

at::Tensor Model::forward(const at::Tensor& images, Mode mode) const {
  std::vector<at::Tensor> across = {in_(images, mode)};
  for (const auto& down : down_) across.push_back(down(at::max_pool2d(across.back(), 2), mode));
  auto x = across.back();
  across.pop_back();
  for (const auto& up : up_) {
    x = up(x, across.back(), mode);
    across.pop_back();
  }
  return at::conv2d(x, out_weight_, out_bias_);
}

training::Network network(at::TensorOptions options) {
  const auto model = std::make_shared<Model>(options);
  return {
      .predict = [model](const at::Tensor& input, const training::Switches&,
                         training::Mode mode) { return model->forward(input, mode); },
      .loss = [](const at::Tensor& output, const at::Tensor& target) { return at::mse_loss(output, target); },
      .parameters = model->state().parameters(),
      .buffers = model->state().buffers()};
}

std::string_view python() {
  return R"python(
def twice(x, name, p, b):
    for i in (0, 3):
        x = F.conv2d(x, p[f"{name}.double_conv.{i}.weight"], None, 1, 1)
        x = F.relu(batch_norm(x, f"{name}.double_conv.{i + 1}", p, b))
    return x

def output_of(x, p, b):
    across = [twice(x, "inc", p, b)]
    for i in range(1, 5):
        across.append(twice(F.max_pool2d(across[-1], 2), f"down{i}.maxpool_conv.1", p, b))
    x = across.pop()
    for i in range(1, 5):
        larger = F.conv_transpose2d(x, p[f"up{i}.up.weight"], p[f"up{i}.up.bias"], 2)
        x = twice(torch.cat([across.pop(), larger], 1), f"up{i}.conv", p, b)
    return F.conv2d(x, p["outc.conv.weight"], p["outc.conv.bias"])

def loss_of(output, y):
    return F.mse_loss(output, y)
)python";
}

}  // namespace workloads::unet
