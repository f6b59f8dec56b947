// Products with picked rows, and their gradient: what stgym/rows_in_place multiplies with.
#pragma once

#include <ATen/core/Tensor.h>

namespace workloads::stgym {

/// x[rows] weight', [N, H], without x[rows] ever being made; a row of -1 counts as zeros. On a CUDA device:
/// x [R, F] and weight [H, F] float32, F and H multiples of 4, rows [N] int64. The gradient is the weight's
/// only, in as many sums over rows as keep the device busy.
at::Tensor gathered_product(const at::Tensor& x, const at::Tensor& rows, const at::Tensor& weight);

}  // namespace workloads::stgym
