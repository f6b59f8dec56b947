#include "workloads/unet/training_network.hpp"

#include <ATen/ATen.h>

#include <memory>

namespace workloads::unet {

training::Network network(at::TensorOptions options) {
  const auto model = std::make_shared<Model>(options);
  return {
      .predict = [model](const at::Tensor& input, const training::Switches&,
                         training::Mode mode) { return model->forward(input, mode); },
      .loss = [](const at::Tensor& output, const at::Tensor& target) { return at::mse_loss(output, target); },
      .parameters = model->state().parameters(),
      .buffers = model->state().buffers()};
}

}  // namespace workloads::unet
