// What the steps on TF32 share: their source, and how they tell what the short format costs.
#pragma once

#include "harness/core/step.hpp"

#include <ATen/ATen.h>

namespace microbench {

inline constexpr harness::Source tf32_notes{.title = "PyTorch, CUDA semantics",
                                            .url = "https://docs.pytorch.org/docs/stable/notes/cuda.html",
                                            .where = "TensorFloat-32 (TF32) on Ampere (and later) devices"};

/// The largest error against `exact`, which is FP64, as a share of the mean absolute value, as PyTorch's
/// notes give it.
inline double largest_error(const at::Tensor& result, const at::Tensor& exact) {
  const auto off = (result.to(at::kDouble) - exact).abs().max();
  return (off / exact.abs().mean()).item<double>();
}

/// Runs each form and asks for the `error` of what it leaves behind.
inline harness::Figure error_figure(const std::function<void()>& naive,
                                    const std::function<void()>& optimized,
                                    const std::function<double()>& error) {
  naive();
  const auto of_naive = error();
  optimized();
  return {"largest error against FP64 / mean", "", of_naive, error()};
}

}  // namespace microbench
