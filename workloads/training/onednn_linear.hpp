// The product of a linear layer through oneDNN, in FP32 on the host.
#pragma once

#include <ATen/core/Tensor.h>

namespace workloads::training {

/// True where oneDNN multiplies these: FP32 on the host, in a LibTorch that was built with it.
bool onednn_multiplies(const at::Tensor& x);

/// x W' + bias, [n, in] and [out, in] -> [n, out], as at::linear and with its gradients; the bias may be
/// undefined. Both tensors must satisfy onednn_multiplies.
at::Tensor onednn_linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

}  // namespace workloads::training
