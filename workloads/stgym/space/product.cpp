#include "workloads/stgym/space/product.hpp"

#include "harness/libtorch/autocast.hpp"

#include "workloads/stgym/model/products.hpp"

#include <ATen/ATen.h>

#include <optional>

namespace workloads::stgym::space {

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
