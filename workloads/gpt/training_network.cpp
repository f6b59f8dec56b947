#include "workloads/gpt/training_network.hpp"

#include <ATen/ATen.h>

#include <memory>

namespace workloads::gpt {

training::Network network(const Shape& shape, at::TensorOptions options) {
  const auto model = std::make_shared<Model>(shape, options);
  return {.predict =
              [model](const at::Tensor& input, const training::Switches& switches, training::Mode) {
                return model->forward(input, switches.fused_attention ? Attention::fused : Attention::matrix,
                                      switches.checkpoint ? Keep::inputs : Keep::all);
              },
          .loss =
              [](const at::Tensor& output, const at::Tensor& target) {
                return at::cross_entropy_loss(output.flatten(0, 1), target.flatten());
              },
          .parameters = model->state().parameters(),
          .buffers = model->state().buffers()};
}

}  // namespace workloads::gpt
