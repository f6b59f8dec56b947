#include "workloads/stgym/space_model/linear.hpp"

#include "harness/libtorch/precision.hpp"

#include "workloads/stgym/model/linear_products.hpp"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include <cmath>
#include <optional>

namespace workloads::stgym::space {

ParameterSource::ParameterSource(std::uint64_t seed, const at::TensorOptions& placement)
    : random_(at::detail::createCPUGenerator(seed)), placement_(placement) {}

at::Tensor ParameterSource::uniform(at::IntArrayRef shape, double bound) {
  return at::empty(shape, at::kFloat).uniform_(-bound, bound, random_).to(placement_).set_requires_grad(true);
}

Linear ParameterSource::linear(std::int64_t inputs, std::int64_t outputs, bool has_bias) {
  const auto bound = 1 / std::sqrt(static_cast<double>(inputs));
  Linear linear;
  linear.weight = uniform({outputs, inputs}, bound);
  if (has_bias) linear.bias = uniform({outputs}, bound);
  return linear;
}

at::Tensor ParameterSource::glorot(std::int64_t inputs, std::int64_t outputs) {
  return uniform({outputs, inputs}, std::sqrt(6.0 / static_cast<double>(inputs + outputs)));
}

at::Tensor ParameterSource::filled(std::int64_t width, double value) const {
  return buffer(width, value).set_requires_grad(true);
}

at::Tensor ParameterSource::buffer(std::int64_t width, double value) const {
  return at::full({width}, value, placement_);
}

void add_to(NamedTensors& all, const std::string& name, const Linear& linear) {
  all.emplace_back(name + ".weight", linear.weight);
  if (linear.bias.defined()) all.emplace_back(name + ".bias", linear.bias);
}

at::Tensor multiply(const Linear& linear, const at::Tensor& x, const Switches& switches) {
  std::optional<harness::Autocast> autocast;
  if (switches.bf16) autocast.emplace(x.device().type(), at::kBFloat16);
  return single(map(linear, x, switches));
}

at::Tensor multiply_weight(const Linear& linear, const at::Tensor& x, const Switches& switches) {
  std::optional<harness::Autocast> autocast;
  if (switches.bf16) autocast.emplace(x.device().type(), at::kBFloat16);
  return single(project(linear, x, switches));
}

}  // namespace workloads::stgym::space
