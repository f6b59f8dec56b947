#include "workloads/training/layers.hpp"

#include <ATen/ATen.h>

namespace workloads::training {

Convolution::Convolution(State& state, const std::string& name, Channels channels, Window window)
    : weight_(state.parameter(name + ".weight", {channels.out, channels.in, window.size, window.size})),
      window_(window) {}

at::Tensor Convolution::operator()(const at::Tensor& x) const {
  return at::conv2d(x, weight_, {}, window_.stride, window_.padding);
}

BatchNorm::BatchNorm(State& state, const std::string& name, std::int64_t channels)
    : weight_(state.parameter(name + ".weight", {channels})),
      bias_(state.parameter(name + ".bias", {channels})),
      mean_(state.buffer(name + ".running_mean", {channels}, 0)),
      variance_(state.buffer(name + ".running_var", {channels}, 1)) {}

at::Tensor BatchNorm::operator()(const at::Tensor& x, Mode mode) const {
  constexpr double momentum = 0.1;
  constexpr double eps = 1e-5;
  return at::batch_norm(x, weight_, bias_, mean_, variance_, mode == Mode::training, momentum, eps,
                        /*cudnn_enabled=*/true);
}

Linear::Linear(State& state, const std::string& name, Channels channels)
    : weight_(state.parameter(name + ".weight", {channels.out, channels.in})),
      bias_(state.parameter(name + ".bias", {channels.out})) {}

at::Tensor Linear::operator()(const at::Tensor& x) const { return at::linear(x, weight_, bias_); }

}  // namespace workloads::training
