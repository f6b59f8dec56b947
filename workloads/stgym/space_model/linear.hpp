// The linear maps of the design space's layers: where their first parameters come from, and their products.
#pragma once

#include "workloads/stgym/model/published_model.hpp"
#include "workloads/stgym/space/switches.hpp"

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>
#include <c10/core/TensorOptions.h>

#include <cstdint>
#include <string>

namespace workloads::stgym::space {

/// Makes parameters and draws their first values as PyTorch's modules do, in the order of the calls. Draws on
/// the host in single precision, so that one seed gives the same values on every device.
class ParameterSource {
 public:
  /// `placement`: device and type of the parameters.
  ParameterSource(std::uint64_t seed, const at::TensorOptions& placement);

  /// torch.nn.Linear: weight [outputs, inputs] and bias uniform within 1 / sqrt(inputs).
  Linear linear(std::int64_t inputs, std::int64_t outputs, bool has_bias = true);
  /// [outputs, inputs], uniform within sqrt(6 / (inputs + outputs)): Glorot's.
  at::Tensor glorot(std::int64_t inputs, std::int64_t outputs);
  /// [width], all `value`.
  at::Tensor filled(std::int64_t width, double value) const;
  /// The same for what is learned without gradients, as running means are.
  at::Tensor buffer(std::int64_t width, double value) const;

 private:
  at::Tensor uniform(at::IntArrayRef shape, double bound);

  at::Generator random_;
  at::TensorOptions placement_;
};

/// Adds `NAME.weight` and, where there is one, `NAME.bias`.
void add_to(NamedTensors& all, const std::string& name, const Linear& linear);

/// The layer's map, multiplied as the switches ask for. With bf16 the product alone is BF16: what is given
/// and returned is FP32, so that sums over neighbours and the losses of poolings keep their digits.
at::Tensor multiply(const Linear& linear, const at::Tensor& x, const Switches& switches);
/// The same without the bias.
at::Tensor multiply_weight(const Linear& linear, const at::Tensor& x, const Switches& switches);

}  // namespace workloads::stgym::space
