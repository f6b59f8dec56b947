// What the training loop knows of a model.
#pragma once

#include "workloads/training/layers.hpp"
#include "workloads/training/state.hpp"
#include "workloads/training/switches.hpp"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <string_view>

namespace workloads::training {

/// A model with its loss. Copies share the model.
struct Network {
  std::function<at::Tensor(const at::Tensor& input, const Switches&, Mode)> predict;
  std::function<at::Tensor(const at::Tensor& output, const at::Tensor& target)> loss;
  NamedTensors parameters;
  NamedTensors buffers;
  std::string_view closed_norms = {};  // weights whose names end so begin at 0: their branches add nothing
};

/// Where a model is made, and of what its tensors are.
using MakeNetwork = std::function<Network(at::TensorOptions options)>;

/// First parameters: matrices and kernels normal with a spread of sqrt(gain / inputs), a norm's weights 1
/// (0 where the network says so), everything else 0; the same on every device.
void initialise(const Network& network, double gain, std::uint64_t seed);

}  // namespace workloads::training
