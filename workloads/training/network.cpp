#include "workloads/training/network.hpp"

#include "harness/libtorch/generator.hpp"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/custom_class.h>

#include <cmath>

namespace workloads::training {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;
using Run = std::function<at::Tensor(const at::Tensor&)>;

/// What autograd keeps of a function until the backward pass.
struct KeptRun : torch::CustomClassHolder {
  explicit KeptRun(Run given) : run(std::move(given)) {}
  Run run;
};

struct Checkpointed : torch::autograd::Function<Checkpointed> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const Run& run) {
    context->save_for_backward({x});
    context->saved_data["run"] = c10::IValue::make_capsule(c10::make_intrusive<KeptRun>(run));
    return run(x);  // autograd is off in here
  }

  static variable_list backward(AutogradContext* context, const variable_list& of_output) {
    const auto kept = c10::static_intrusive_pointer_cast<KeptRun>(context->saved_data["run"].toCapsule());
    const auto x = context->get_saved_variables().front().detach().requires_grad_();
    const c10::AutoGradMode recording(true);
    const auto output = kept->run(x);
    torch::autograd::backward({output}, of_output);
    return {x.grad(), at::Tensor()};
  }
};

}  // namespace

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

void initialise(const Network& network, double gain, std::uint64_t seed) {
  const c10::NoGradGuard no_gradients;
  auto generator = harness::host_generator(seed);
  for (const auto& [name, tensor] : network.parameters) {
    if (tensor.dim() == 1) {
      const bool closed = !network.closed_norms.empty() && name.ends_with(network.closed_norms);
      tensor.fill_(name.ends_with(".weight") && !closed ? 1 : 0);
      continue;
    }
    const auto inputs = static_cast<double>(tensor.numel() / tensor.size(0));
    const auto values = at::randn(tensor.sizes(), generator, at::TensorOptions().dtype(at::kFloat));
    tensor.copy_(values * std::sqrt(gain / inputs));
  }
}

at::Tensor checkpointed(const Run& run, const at::Tensor& x) { return Checkpointed::apply(x, run); }

at::Tensor State::parameter(std::string name, std::vector<std::int64_t> shape) {
  auto tensor = at::zeros(shape, options_).requires_grad_();
  parameters_.emplace_back(std::move(name), tensor);
  return tensor;
}

at::Tensor State::buffer(std::string name, std::vector<std::int64_t> shape, double value) {
  auto tensor = at::full(shape, value, options_);
  buffers_.emplace_back(std::move(name), tensor);
  return tensor;
}

NamedTensors copy_of(const NamedTensors& tensors) {
  NamedTensors copy;
  for (const auto& [name, tensor] : tensors) copy.emplace_back(name, tensor.detach().clone());
  return copy;
}

void assign(const NamedTensors& tensors, const NamedTensors& values) {
  const c10::NoGradGuard no_gradients;
  for (std::size_t i = 0; i < tensors.size(); ++i) tensors[i].second.copy_(values.at(i).second);
}

void lay_out_channels_last(const NamedTensors& tensors) {
  for (const auto& [name, tensor] : tensors)
    if (tensor.dim() == 4) tensor.set_data(tensor.detach().contiguous(at::MemoryFormat::ChannelsLast));
}

}  // namespace workloads::training
