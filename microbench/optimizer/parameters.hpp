// The lists of parameters that the steps on optimizers go through: with their gradients and Adam's state, and
// three ways of taking Adam's step.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/core/step.hpp"

#include <ATen/core/Tensor.h>

namespace microbench {

inline constexpr harness::Axis parameter_axes[] = {
    {.name = "tensors", .about = "parameters in the list", .values = {100, 1000, 4}},
    {.name = "numel", .about = "values of each of them", .values = {1 << 10, 1 << 16, 4 << 20}}};

/// `tensors` parameters of `numel` values each, with gradients that stay as they are.
class Parameters {
 public:
  Parameters(const harness::Setup& setup, std::int64_t tensors, std::int64_t numel);

  /// One tensor after the other, as torch::optim::Adam does: some operators for each of them.
  void step_by_tensor();
  /// The same operators, each over the whole list (at::_foreach_*).
  void step_foreach();
  /// One operator for everything (at::_fused_adam_).
  void step_fused();
  /// As step_by_tensor, but the number of the step lies on the device, so that a graph can replay it.
  void step_by_tensor_on_device();

  /// The number of the step on the device, then all values, gradients, means and squares: what Adam reads and
  /// changes, for a form that is called with it.
  std::vector<at::Tensor> all() const;

  /// Back to the start: values, state and number of the step.
  void reset();
  /// All values, one tensor after the other; for large ones a part of each.
  harness::Answer values() const;

 private:
  std::vector<at::Tensor> start_, params_, grads_, means_, squares_;
  std::vector<at::Tensor> steps_;  // one per parameter, for the fused operator
  at::Tensor device_step_;
  double step_ = 0;
};

/// The lists that are rows: not those that would take too long on the CPU, or at all.
bool list_fits(const harness::Point& point, const harness::Device& device);

/// Throws Skip where the list is too large for the device.
void require_room(const harness::Setup& setup, std::int64_t tensors, std::int64_t numel);

}  // namespace microbench
