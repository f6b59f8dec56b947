#include "workloads/stgym/model/linear_products.hpp"

#include "workloads/training/onednn_linear.hpp"

#include <ATen/ATen.h>

namespace workloads::stgym {
namespace {

bool by_onednn(const at::Tensor& x, const Switches& switches) {
  return switches.onednn_products && !switches.bf16 && training::onednn_multiplies(x);
}

}  // namespace

at::Tensor map(const Linear& layer, const at::Tensor& x, const Switches& switches) {
  if (by_onednn(x, switches)) return training::onednn_linear(x, layer.weight, layer.bias);
  return layer(x);
}

at::Tensor project(const Linear& layer, const at::Tensor& x, const Switches& switches) {
  if (by_onednn(x, switches)) return training::onednn_linear(x, layer.weight, {});
  return at::mm(x, layer.weight.t());
}

at::Tensor single(const at::Tensor& x) { return x.scalar_type() == at::kBFloat16 ? x.to(at::kFloat) : x; }

}  // namespace workloads::stgym
