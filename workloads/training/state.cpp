#include "workloads/training/state.hpp"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

namespace workloads::training {

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
