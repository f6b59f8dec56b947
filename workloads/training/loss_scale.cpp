#include "workloads/training/loss_scale.hpp"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <vector>

namespace workloads::training {
namespace {

// GradScaler's: it begins at 2^16, doubles after 2,000 good steps, and halves after a bad one. Ours begins
// lower, so that the first update, which rungs are compared by, is not left out.
constexpr double first_factor = 1024;
constexpr double growth = 2;
constexpr double backoff = 0.5;
constexpr std::int64_t growth_steps = 2000;

}  // namespace

LossScale::LossScale(at::Device device)
    : factor_(at::full({}, first_factor, at::device(device).dtype(at::kFloat))),
      good_steps_(at::zeros({}, at::device(device).dtype(at::kInt))) {}

at::Tensor LossScale::scaled(const at::Tensor& loss) const { return loss * factor_; }

bool LossScale::unscale(const NamedTensors& parameters) {
  const c10::NoGradGuard no_gradients;
  std::vector<at::Tensor> gradients;
  for (const auto& [name, parameter] : parameters) gradients.push_back(parameter.grad());
  auto bad = at::zeros({}, factor_.options());
  at::_amp_foreach_non_finite_check_and_unscale_(gradients, bad, factor_.reciprocal());
  at::_amp_update_scale_(factor_, good_steps_, bad, growth, backoff, growth_steps);
  return bad.item<double>() == 0;
}

double LossScale::factor() const { return factor_.item<double>(); }

}  // namespace workloads::training
