#include "workloads/stgym/space_model/finish.hpp"

#include <ATen/ATen.h>

#include <stdexcept>

namespace workloads::stgym::space {
namespace {

/// Each row divided by its length, or by 1e-12 where that is more.
at::Tensor rows_of_length_1(const at::Tensor& x) {
  return x / at::linalg_vector_norm(x, 2, at::IntArrayRef{1}, true).clamp_min(1e-12);
}

}  // namespace

Finish::Finish(const Style& style, std::int64_t width, ParameterSource& source) : style_(style) {
  if (style.use_batchnorm) {
    scale_ = source.filled(width, 1);
    shift_ = source.filled(width, 0);
    mean_ = source.buffer(width, 0);
    variance_ = source.buffer(width, 1);
  }
  if (style.act == Activation::prelu) slope_ = source.filled(1, 0.25);
}

at::Tensor Finish::norm(const at::Tensor& x, Mode mode) const {
  const bool training = mode == Mode::training;
  if (training && x.size(0) == 1)
    throw std::runtime_error("a batch norm cannot learn from a batch of one row");
  return at::batch_norm(x, scale_, shift_, mean_, variance_, training, style_.bn_momentum, style_.bn_eps,
                        /*cudnn_enabled=*/true);
}

at::Tensor Finish::drop(const at::Tensor& x, at::Generator& random) const {
  const auto kept = at::empty_like(x.detach()).bernoulli_(1 - style_.dropout, random);
  return x * kept.div_(1 - style_.dropout);
}

at::Tensor Finish::activate(at::Tensor x, const Switches& switches) const {
  switch (style_.act) {
    case Activation::relu:
      return switches.inplace ? at::relu_(x) : at::relu(x);
    case Activation::swish:
      return switches.inplace ? at::silu_(x) : at::silu(x);
    case Activation::prelu:
      return at::prelu(x, slope_);
    case Activation::none:
      break;
  }
  return x;
}

at::Tensor Finish::operator()(at::Tensor x, const Switches& switches, Mode mode,
                              at::Generator& random) const {
  if (style_.use_batchnorm) x = norm(x, mode);
  if (style_.dropout > 0 && mode == Mode::training) x = drop(x, random);
  x = activate(x, switches);
  return style_.l2norm ? rows_of_length_1(x) : x;
}

void Finish::add_parameters(NamedTensors& all, const std::string& name) const {
  if (style_.use_batchnorm) {
    all.emplace_back(name + ".0.weight", scale_);
    all.emplace_back(name + ".0.bias", shift_);
  }
  // Modules are numbered, those without parameters too.
  const auto place = (style_.use_batchnorm ? 1 : 0) + (style_.dropout > 0 ? 1 : 0);
  if (slope_.defined()) all.emplace_back(name + "." + std::to_string(place) + ".weight", slope_);
}

void Finish::add_buffers(NamedTensors& all, const std::string& name) const {
  if (!style_.use_batchnorm) return;
  all.emplace_back(name + ".0.running_mean", mean_);
  all.emplace_back(name + ".0.running_var", variance_);
}

}  // namespace workloads::stgym::space
