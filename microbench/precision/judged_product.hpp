// A product of two matrices whose arithmetic a setting changes: its error, and the trial of two settings;
// matrices padded with zeros; the source of the steps on TF32, and how they tell what the short format
// costs.
#pragma once

#include "harness/core/step.hpp"
#include "harness/libtorch/answer.hpp"
#include "harness/libtorch/precision.hpp"

#include "microbench/values.hpp"

#include <utility>

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

/// out = a b, of [rows, inner] and [inner, rows] numbers of that type.
struct JudgedProduct {
  JudgedProduct(const harness::Setup& setup, std::int64_t rows, std::int64_t inner, at::ScalarType type) {
    const auto generator = generator_of(setup);
    const auto options = at::TensorOptions().device(harness::torch_device(setup.device)).dtype(at::kFloat);
    a = at::randn({rows, inner}, generator, options).to(type);
    b = at::randn({inner, rows}, generator, options).to(type);
    out = at::empty({rows, rows}, a.options());
  }
  void multiply() { at::mm_out(out, a, b); }
  /// Of the first rows.
  double error() const {
    constexpr std::int64_t looked_at = 64;
    const auto exact = at::mm(a.narrow(0, 0, looked_at).to(at::kDouble), b.to(at::kDouble));
    return largest_error(out.narrow(0, 0, looked_at), exact);
  }
  at::Tensor a, b, out;
};

/// Both forms multiply, each with its own setting; the error of each stands beside its time.
inline harness::Trial product_trial(const std::shared_ptr<JudgedProduct>& product,
                                    const std::function<void()>& naive,
                                    const std::function<void()>& optimized) {
  return {.naive = naive,
          .optimized = optimized,
          .clear = [product] { product->out.fill_(-1); },
          .answer = [product](harness::Form) { return harness::numbers_of(product->out); },
          .figures = [product, naive, optimized]() -> std::vector<harness::Figure> {
            return {error_figure(naive, optimized, [&] { return product->error(); })};
          },
          .timer = harness::Timer::event};
}

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
