// The factor that keeps FP16's gradients from becoming zero, raised and lowered as PyTorch's GradScaler does.
#pragma once

#include "workloads/training/state.hpp"

#include <ATen/core/Tensor.h>

namespace workloads::training {

class LossScale {
 public:
  explicit LossScale(at::Device device);

  at::Tensor scaled(const at::Tensor& loss) const;
  /// Divides the gradients by the factor, and halves it where one of them is not finite: then this returns
  /// false and the update must be left out. Waits for the device.
  bool unscale(const NamedTensors& parameters);
  double factor() const;

 private:
  at::Tensor factor_, good_steps_;
};

}  // namespace workloads::training
