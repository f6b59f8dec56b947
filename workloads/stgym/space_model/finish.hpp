// What follows a layer's map: batch norm, dropout, activation, L2 norm, each where the style asks for it.
#pragma once

#include "workloads/stgym/model/published_model.hpp"
#include "workloads/stgym/space/configuration.hpp"
#include "workloads/stgym/space/switches.hpp"
#include "workloads/stgym/space_model/linear.hpp"

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

namespace workloads::stgym::space {

/// Training: batch norm with the statistics of the batch, which it also learns, and dropout. Evaluation:
/// batch norm with what it has learned, no dropout.
enum class Mode { training, evaluation };

class Finish {
 public:
  Finish(const Style& style, std::int64_t width, ParameterSource& source);

  /// [N, width] -> [N, width]. May overwrite x if the switches say so. Dropout draws from `random`. Throws
  /// std::runtime_error where a batch norm is to learn from a single row, which has no variance.
  at::Tensor operator()(at::Tensor x, const Switches& switches, Mode mode, at::Generator& random) const;

  /// Adds the parameters under PyTorch's names, `NAME.0.weight` and so on.
  void add_parameters(NamedTensors& all, const std::string& name) const;
  /// Adds running means and variances.
  void add_buffers(NamedTensors& all, const std::string& name) const;

 private:
  at::Tensor norm(const at::Tensor& x, Mode mode) const;
  at::Tensor drop(const at::Tensor& x, at::Generator& random) const;
  at::Tensor activate(at::Tensor x, const Switches& switches) const;

  Style style_;
  at::Tensor scale_, shift_, mean_, variance_;  // of the batch norm, if any: [width]
  at::Tensor slope_;                            // of PReLU, if any: [1]
};

}  // namespace workloads::stgym::space
