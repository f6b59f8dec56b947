// Sums over neighbours, biases and ReLUs in one pass: what stgym/fused_linear and stgym/rows_in_place compute
// on a device.
#pragma once

#include "workloads/stgym/data/batch.hpp"

#include <ATen/core/Tensor.h>

namespace workloads::stgym {

/// True if the kernels take a layer of these outputs: float32 on a device, a multiple of 4, at most 256.
bool fused_linear_fits(const at::Tensor& x, const at::Tensor& weight);

/// max(0, x W' + bias): the product adds the bias and cuts off, and the backward pass makes the bias's
/// gradient while it masks. weight [H, F], bias [H].
at::Tensor linear_relu(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

/// max(0, y + bias + sum of the neighbours' rows of y), of a batch of row numbers. y [N, H].
at::Tensor neighbour_sum(const at::Tensor& y, const at::Tensor& bias, const Batch& batch);

}  // namespace workloads::stgym
