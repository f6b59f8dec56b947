#include "microbench/precision/grad_scaler.hpp"

#include <ATen/ATen.h>

namespace microbench {

GradScaler::GradScaler(at::Device device, ScalerRules rules)
    : rules_(rules),
      scale_(at::full({}, rules.start, at::TensorOptions().device(device).dtype(at::kFloat))),
      one_(at::ones_like(scale_)),
      found_(at::zeros_like(scale_)),
      streak_(at::zeros({}, scale_.options().dtype(at::kInt))) {}

at::Tensor GradScaler::scale(const at::Tensor& loss) const { return loss * scale_; }

void GradScaler::unscale(at::TensorList gradients) { find(gradients, scale_.reciprocal()); }

void GradScaler::inspect(at::TensorList gradients) { find(gradients, one_); }

void GradScaler::find(at::TensorList gradients, const at::Tensor& inverse) {
  found_.zero_();  // the operator only ever sets it
  at::_amp_foreach_non_finite_check_and_unscale_(gradients, found_, inverse);
}

bool GradScaler::overflowed() const { return found_.item<float>() != 0; }

void GradScaler::update() {
  at::_amp_update_scale_(scale_, streak_, found_, rules_.growth, rules_.backoff, rules_.interval);
}

void GradScaler::start_again() {
  scale_.fill_(rules_.start);
  found_.zero_();
  streak_.zero_();
}

}  // namespace microbench
