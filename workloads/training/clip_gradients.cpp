#include "workloads/training/clip_gradients.hpp"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <vector>

namespace workloads::training {

void clip_gradients(const NamedTensors& parameters, double most, bool together) {
  const c10::NoGradGuard no_gradients;
  constexpr double eps = 1e-6;  // as in PyTorch's clip_grad_norm_
  std::vector<at::Tensor> gradients, norms;
  for (const auto& [name, parameter] : parameters) gradients.push_back(parameter.grad());
  if (together)
    norms = at::_foreach_norm(gradients, 2);
  else
    for (const auto& gradient : gradients) norms.push_back(gradient.norm());
  const auto factor = (most / (at::stack(norms).norm() + eps)).clamp_max(1);
  if (together)
    at::_foreach_mul_(gradients, factor);
  else
    for (auto& gradient : gradients) gradient.mul_(factor);
}

}  // namespace workloads::training
