#include "workloads/stgym/model/linear_products.hpp"

#include <ATen/ATen.h>

namespace workloads::stgym {
namespace {

using training::Libraries;

/// Nothing: LibTorch's operators multiply.
std::optional<Libraries> libraries_of(const Linear& layer, const Switches& switches) {
  if (switches.bf16 || !training::onednn_multiplies(layer.weight)) return {};
  if (switches.probed_products && layer.libraries) return layer.libraries;
  return switches.onednn_products ? std::optional(training::onednn_alone) : std::nullopt;
}

}  // namespace

at::Tensor map(const Linear& layer, const at::Tensor& x, const Switches& switches) {
  const auto libraries = libraries_of(layer, switches);
  return libraries ? training::host_linear(x, layer.weight, layer.bias, *libraries) : layer(x);
}

at::Tensor project(const Linear& layer, const at::Tensor& x, const Switches& switches) {
  const auto libraries = libraries_of(layer, switches);
  return libraries ? training::host_linear(x, layer.weight, {}, *libraries) : at::mm(x, layer.weight.t());
}

at::Tensor project(const Linear& layer, const std::vector<at::Tensor>& parts, const Switches& switches) {
  return training::product_of_parts(parts, layer.weight, libraries_of(layer, switches).value_or(Libraries{}));
}

at::Tensor single(const at::Tensor& x) { return x.scalar_type() == at::kBFloat16 ? x.to(at::kFloat) : x; }

}  // namespace workloads::stgym
