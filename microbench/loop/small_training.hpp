// A training whose arithmetic takes little, so that what a loop does beside it shows.
#pragma once

#include "harness/core/setup.hpp"

#include <ATen/core/Tensor.h>

#include <vector>

namespace microbench {

/// Three layers that learn a fixed batch by SGD, on the row's device.
class SmallTraining {
 public:
  SmallTraining(const harness::Setup& setup, std::int64_t width, std::int64_t batch = 32);

  /// Back to the first parameters.
  void restart();
  /// Forward, backward, update. The loss of it, a tensor on the device.
  at::Tensor step();
  /// The loss of another batch; changes nothing.
  at::Tensor validate() const;

  /// Three matrices [width, width], without gradients: what a checkpoint holds.
  std::vector<at::Tensor> state() const;
  const at::Tensor& input() const { return input_; }

 private:
  at::Tensor loss_of(const at::Tensor& input, const at::Tensor& target) const;

  std::vector<at::Tensor> first_, weights_;
  at::Tensor input_, target_, other_input_, other_target_;
};

}  // namespace microbench
