// The model as the training loop knows it.
#pragma once

#include "workloads/resnet50/model.hpp"
#include "workloads/training/network.hpp"

namespace workloads::resnet50 {

/// The loss is the cross entropy of logits against class numbers [n].
training::Network network(std::int64_t classes, at::TensorOptions options);

}  // namespace workloads::resnet50
