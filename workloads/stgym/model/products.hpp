// The products of linear layers; through oneDNN in FP32: what stgym/onednn_products switches to.
#pragma once

#include "workloads/stgym/model/model.hpp"
#include "workloads/stgym/switches.hpp"

#include <ATen/core/Tensor.h>

namespace workloads::stgym {

/// True where oneDNN multiplies these: FP32 on the host, in a LibTorch that was built with it.
bool onednn_multiplies(const at::Tensor& x);

/// x W' + bias, [n, in] and [out, in] -> [n, out], as at::linear and with its gradients; the bias may be
/// undefined. Both tensors must satisfy onednn_multiplies.
at::Tensor onednn_linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

/// The layer's map, multiplied as the switches ask for; BF16 is left to autocast.
at::Tensor map(const Linear& layer, const at::Tensor& x, const Switches& switches);
/// x W', without the bias.
at::Tensor project(const Linear& layer, const at::Tensor& x, const Switches& switches);
/// What autocast has made BF16, in FP32 again.
at::Tensor single(const at::Tensor& x);

}  // namespace workloads::stgym
