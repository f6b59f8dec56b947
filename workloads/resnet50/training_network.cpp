#include "workloads/resnet50/training_network.hpp"

#include <ATen/ATen.h>

#include <memory>

namespace workloads::resnet50 {

training::Network network(std::int64_t classes, at::TensorOptions options) {
  const auto model = std::make_shared<Model>(classes, options);
  return {.predict = [model](const at::Tensor& input, const training::Switches&,
                             training::Mode mode) { return model->forward(input, mode); },
          .loss = [](const at::Tensor& output,
                     const at::Tensor& target) { return at::cross_entropy_loss(output, target); },
          .parameters = model->state().parameters(),
          .buffers = model->state().buffers(),
          // Each block begins as its shortcut (Goyal et al., arXiv 1706.02677, section 5.1). Otherwise the
          // first gradients are some ninety times as large, and BF16's rounding turns most of them elsewhere.
          .closed_norms = ".bn3.weight"};
}

}  // namespace workloads::resnet50
