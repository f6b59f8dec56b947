// Tensors as answers that the harness can compare.
#pragma once

#include "harness/core/step.hpp"

#include <ATen/core/Tensor.h>

namespace harness::inline libtorch {

/// The tensor's values as float32, copied to the host.
Answer numbers_of(const at::Tensor& tensor);

/// The tensor's device as LibTorch writes it.
at::Device torch_device(const Device& device);

}  // namespace harness::inline libtorch
