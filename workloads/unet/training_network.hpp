// The model as the training loop knows it.
#pragma once

#include "workloads/training/network.hpp"
#include "workloads/unet/model.hpp"

namespace workloads::unet {

/// The loss is the mean squared error to the noise in the image.
training::Network network(at::TensorOptions options);

}  // namespace workloads::unet
