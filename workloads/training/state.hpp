// The tensors of a network by their published names, in their published order.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
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

}  // namespace workloads::training
