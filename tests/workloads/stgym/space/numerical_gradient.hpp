// Autograd's gradients against central differences, in double precision.
#pragma once

#include <ATen/ATen.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace tests {

/// d loss / d leaf, entry by entry: moves each by 1e-6 up and down.
inline at::Tensor central_differences(const std::function<at::Tensor()>& loss, const at::Tensor& leaf) {
  constexpr double step = 1e-6;
  auto entries = leaf.detach().view(-1);
  auto gradient = at::zeros_like(entries);
  for (std::int64_t i = 0; i < entries.size(0); ++i) {
    const auto value = entries[i].item<double>();
    entries[i] = value + step;
    const auto above = loss().item<double>();
    entries[i] = value - step;
    const auto below = loss().item<double>();
    entries[i] = value;
    gradient[i] = (above - below) / (2 * step);
  }
  return gradient.view(leaf.sizes());
}

/// The largest difference of any entry of any gradient, relative to the largest numerical one. `leaves` are
/// in double precision and ask for gradients; `loss` reads them. NaN if any gradient holds one.
inline double gradient_error(const std::function<at::Tensor()>& loss, const std::vector<at::Tensor>& leaves) {
  for (const auto& leaf : leaves) leaf.mutable_grad() = at::Tensor();
  loss().backward();
  std::vector<at::Tensor> found, expected;
  for (const auto& leaf : leaves) {
    found.push_back((leaf.grad().defined() ? leaf.grad() : at::zeros_like(leaf.detach())).reshape(-1));
    expected.push_back(central_differences(loss, leaf).reshape(-1));
  }
  const auto reference = at::cat(expected);
  return ((at::cat(found) - reference).abs().max() / reference.abs().max()).item<double>();
}

}  // namespace tests
