// The classifier of nodes with its loss: what stgym/fused_classifier switches to.
#pragma once

#include <ATen/core/Tensor.h>

#include <utility>
#include <vector>

namespace workloads::stgym {

/// Layers of max(0, W x + b), the last one's too.
using ClassifierWeights = std::vector<std::pair<at::Tensor, at::Tensor>>;

struct Classified {
  at::Tensor logits;  // [N, classes], without a gradient
  at::Tensor loss;    // scalar: the mean negative log-likelihood of the labels
};

/// True if the kernel holds these layers: float32 on a device, at most 4 layers, 4,800 parameters and 160
/// numbers of a node.
bool fused_classifier_fits(const at::Tensor& x, const ClassifierWeights& layers);

/// x [N, inputs], labels [N] int64; a label below 0 counts as none.
Classified classified(const at::Tensor& x, const at::Tensor& labels, const ClassifierWeights& layers);

}  // namespace workloads::stgym
