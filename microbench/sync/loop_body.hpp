// What the loops of this folder do between two points where the host may have to wait.
#pragma once

#include <ATen/ATen.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace microbench {

/// Six kernels over n x n values and one that takes their mean; another value in each iteration. Nothing is
/// allocated.
struct LoopBody {
  static constexpr int loop = 50;

  LoopBody(std::int64_t n, at::Device device) {
    const auto options = at::TensorOptions().device(device).dtype(at::kFloat);
    x = at::full({n, n}, 0.5, options);
    y = at::empty_like(x);
    mean = at::zeros({}, options);
    factor = at::full({}, 1.5, options);
    for (int i = 0; i < loop; ++i) first_factors.push_back(at::full({}, 1 + i / 64.0, options));
  }
  void iterate(int i) {
    at::mul_out(y, x, first_factors[static_cast<std::size_t>(i)]);
    for (int k = 1; k < kernels; ++k) y.mul_(factor);
    at::mean_out(mean, y, at::IntArrayRef{}, /*keepdim=*/false);
  }

  static constexpr int kernels = 6;
  at::Tensor x, y, mean, factor;
  std::vector<at::Tensor> first_factors;
};

}  // namespace microbench
