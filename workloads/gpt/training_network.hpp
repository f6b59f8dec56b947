// The model as the training loop knows it.
#pragma once

#include "workloads/gpt/model.hpp"
#include "workloads/training/network.hpp"

namespace workloads::gpt {

/// The loss is the cross entropy of each next token; targets are [n, t].
training::Network network(const Shape& shape, at::TensorOptions options);

}  // namespace workloads::gpt
