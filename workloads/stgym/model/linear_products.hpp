// The products of linear layers; in FP32 on the host through the library that stgym/onednn_products and
// stgym/probed_products switch to.
#pragma once

#include "workloads/stgym/model/published_model.hpp"
#include "workloads/stgym/space/stgym_switches.hpp"

namespace workloads::stgym {

/// The layer's map, multiplied as the switches ask for; BF16 is left to autocast.
at::Tensor map(const Linear& layer, const at::Tensor& x, const Switches& switches);
/// x W', without the bias.
at::Tensor project(const Linear& layer, const at::Tensor& x, const Switches& switches);
/// The same of rows that lie in several places, on the host and without a gradient.
at::Tensor project(const Linear& layer, const std::vector<at::Tensor>& parts, const Switches& switches);
/// What autocast has made BF16, in FP32 again.
at::Tensor single(const at::Tensor& x);

}  // namespace workloads::stgym
