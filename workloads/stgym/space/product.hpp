// The products of the design space's layers.
#pragma once

#include "workloads/stgym/model/model.hpp"
#include "workloads/stgym/switches.hpp"

#include <ATen/core/Tensor.h>

namespace workloads::stgym::space {

/// The layer's map, multiplied as the switches ask for. With bf16 the product alone is BF16: what is given
/// and returned is FP32, so that sums over neighbours and the losses of poolings keep their digits.
at::Tensor multiply(const Linear& linear, const at::Tensor& x, const Switches& switches);
/// The same without the bias.
at::Tensor multiply_weight(const Linear& linear, const at::Tensor& x, const Switches& switches);

}  // namespace workloads::stgym::space
