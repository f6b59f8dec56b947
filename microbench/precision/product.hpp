// A matrix product, and matrices padded with zeros.
#pragma once

#include "harness/libtorch/precision.hpp"

#include <ATen/ATen.h>

#include <cstdint>
#include <utility>

namespace microbench {

/// The next multiple of 8.
constexpr std::int64_t multiple_of_8(std::int64_t n) { return (n + 7) / 8 * 8; }

/// The matrix with rows and columns of zeros behind it, up to multiples of 8.
inline at::Tensor padded(const at::Tensor& matrix) {
  const auto rows = matrix.size(0);
  const auto columns = matrix.size(1);
  const auto wider = at::zeros({multiple_of_8(rows), multiple_of_8(columns)}, matrix.options());
  wider.narrow(0, 0, rows).narrow(1, 0, columns).copy_(matrix);
  return wider;
}

/// out = a b; FP32 matrices are multiplied in TF32 where the device can.
struct Product {
  Product(at::Tensor left, at::Tensor right)
      : a(std::move(left)), b(std::move(right)), out(at::empty({a.size(0), b.size(1)}, a.options())) {}
  void multiply() {
    const harness::MatmulPrecision set("high");
    at::mm_out(out, a, b);
  }
  at::Tensor a, b, out;
};

}  // namespace microbench
