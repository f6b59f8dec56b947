// The products of linear layers; through oneDNN in FP32: what stgym/onednn_products switches to.
#pragma once

#include "workloads/stgym/model/published_model.hpp"
#include "workloads/stgym/space/switches.hpp"

#include <ATen/core/Tensor.h>

namespace workloads::stgym {

/// The layer's map, multiplied as the switches ask for; BF16 is left to autocast.
at::Tensor map(const Linear& layer, const at::Tensor& x, const Switches& switches);
/// x W', without the bias.
at::Tensor project(const Linear& layer, const at::Tensor& x, const Switches& switches);
/// What autocast has made BF16, in FP32 again.
at::Tensor single(const at::Tensor& x);

}  // namespace workloads::stgym
