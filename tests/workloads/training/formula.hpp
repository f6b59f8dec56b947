// The numbers that tests/golden/models.json leaves to its formula: parameters, images, tokens, labels.
#pragma once

#include "workloads/training/network.hpp"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace golden {

class Formula {
 public:
  explicit Formula(std::uint64_t seed) : seed_(seed) {}

  /// In [-1, 1), exact in FP32.
  at::Tensor numbers(std::uint64_t stream, const std::vector<std::int64_t>& shape) const {
    auto values = at::empty(shape, at::kFloat);
    auto* data = values.mutable_data_ptr<float>();
    for (std::int64_t i = 0; i < values.numel(); ++i)
      data[i] = static_cast<float>(bits(stream, i) >> 40U) / (1U << 23U) - 1;
    return values;
  }

  /// From 0 to `bound` - 1.
  at::Tensor integers(std::uint64_t stream, const std::vector<std::int64_t>& shape,
                      std::int64_t bound) const {
    auto values = at::empty(shape, at::kLong);
    auto* data = values.mutable_data_ptr<std::int64_t>();
    for (std::int64_t i = 0; i < values.numel(); ++i)
      data[i] = static_cast<std::int64_t>(bits(stream, i) >> 33U) % bound;
    return values;
  }

  /// The k-th parameter from stream k, computed in FP32.
  void fill(const workloads::training::NamedTensors& parameters) const {
    const c10::NoGradGuard no_gradients;
    std::uint64_t stream = 0;
    for (const auto& [name, tensor] : parameters) {
      const auto u = numbers(stream++, tensor.sizes().vec());
      if (tensor.dim() >= 2) {
        const auto inputs = static_cast<double>(tensor.numel() / tensor.size(0));
        tensor.copy_(u * static_cast<float>(std::sqrt(3 / inputs)));
      } else {
        tensor.copy_(name.ends_with(".weight") ? 1 + u / 8 : u / 16);
      }
    }
  }

 private:
  std::uint64_t bits(std::uint64_t stream, std::int64_t i) const {
    auto z = ((seed_ << 48U) + (stream << 32U) + static_cast<std::uint64_t>(i)) * 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }

  std::uint64_t seed_;
};

}  // namespace golden
