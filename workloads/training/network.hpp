// What the training loop knows of a model, its tensors by their published names, and layers that more than
// one network has, with activations kept or computed twice.
#pragma once

#include "workloads/training/switches.hpp"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace workloads::training {

using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

/// Parameters, which are learned, and buffers, which are noted down. Layers keep handles to the same tensors.
class State {
 public:
  explicit State(at::TensorOptions options) : options_(options) {}

  /// A new parameter, not yet set to anything.
  at::Tensor parameter(std::string name, std::vector<std::int64_t> shape);
  /// A new buffer, each value of which is `value`.
  at::Tensor buffer(std::string name, std::vector<std::int64_t> shape, double value);

  const NamedTensors& parameters() const { return parameters_; }
  const NamedTensors& buffers() const { return buffers_; }

 private:
  at::TensorOptions options_;
  NamedTensors parameters_;
  NamedTensors buffers_;
};

/// A copy of the values, to go back to with `assign`.
NamedTensors copy_of(const NamedTensors& tensors);

/// Copies the values into the tensors, which stand in the same order.
void assign(const NamedTensors& tensors, const NamedTensors& values);

/// Lays out all kernels of convolutions (four dimensions) channels last; values stay.
void lay_out_channels_last(const NamedTensors& tensors);

/// Batch norms take a batch's own mean and variance, or those noted down in training.
enum class Mode { training, evaluation };

/// What distinguishes a convolution beside its channels.
struct Window {
  std::int64_t size = 3;
  std::int64_t stride = 1;
  std::int64_t padding = 1;
};

struct Channels {
  std::int64_t in = 0;
  std::int64_t out = 0;
};

/// A convolution, without a bias: a norm behind it takes that away again.
class Convolution {
 public:
  Convolution(State& state, const std::string& name, Channels channels, Window window);
  at::Tensor operator()(const at::Tensor& x) const;

 private:
  at::Tensor weight_;
  Window window_;
};

/// A batch norm with PyTorch's defaults: eps 1e-5, momentum 0.1.
class BatchNorm {
 public:
  BatchNorm(State& state, const std::string& name, std::int64_t channels);
  at::Tensor operator()(const at::Tensor& x, Mode mode) const;

 private:
  at::Tensor weight_, bias_, mean_, variance_;
};

class Linear {
 public:
  Linear(State& state, const std::string& name, Channels channels);
  at::Tensor operator()(const at::Tensor& x) const;

 private:
  at::Tensor weight_, bias_;
};

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

/// run(x) of which nothing is kept but x: the backward pass runs it a second time, and what it reads gets its
/// gradients then. `x` must ask for a gradient; `run` must do the same each time.
at::Tensor checkpointed(const std::function<at::Tensor(const at::Tensor&)>& run, const at::Tensor& x);

}  // namespace workloads::training
