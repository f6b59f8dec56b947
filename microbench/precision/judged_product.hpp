// A product of two matrices whose arithmetic a setting changes: its error, and the trial of two settings.
#pragma once

#include "harness/core/step.hpp"
#include "harness/libtorch/answer.hpp"

#include "microbench/precision/tf32.hpp"
#include "microbench/random.hpp"

namespace microbench {

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

}  // namespace microbench
