#include "microbench/precision/grad_scaler.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace {

using microbench::GradScaler;

float scale_of(const GradScaler& scaler) { return scaler.factor().item<float>(); }

/// One step with these gradients; true if the optimizer would have stepped.
bool step(GradScaler& scaler, const std::vector<at::Tensor>& gradients) {
  scaler.unscale(gradients);
  const bool fine = !scaler.overflowed();
  scaler.update();
  return fine;
}

std::vector<at::Tensor> fine_gradients() { return {at::full({3}, 2.0F), at::full({2, 2}, -4.0F)}; }

std::vector<at::Tensor> gradients_with(float odd_one) {
  auto gradients = fine_gradients();
  gradients[1][1][0] = odd_one;
  return gradients;
}

TEST_CASE("a gradient of the scaled loss is unscaled to the very bits of the unscaled one", "[grad_scaler]") {
  auto x = at::full({4}, 0.1F).requires_grad_();
  (x * x).sum().backward();
  const auto expected = x.grad().clone();

  x.mutable_grad() = at::Tensor();
  const auto loss = (x * x).sum();
  auto scaled = GradScaler(at::kCPU);
  const auto from = scaled.scale(loss);
  CHECK(from.item<float>() == 65536 * loss.item<float>());
  from.backward();
  CHECK(x.grad()[0].item<float>() == 65536 * expected[0].item<float>());
  scaled.unscale(x.grad());
  CHECK(at::equal(x.grad(), expected));
  CHECK_FALSE(scaled.overflowed());
}

TEST_CASE("a gradient below FP16's range survives when it is scaled", "[grad_scaler]") {
  GradScaler scaler(at::kCPU);
  const auto small = at::full({1}, 1e-8F);
  CHECK(small.to(at::kHalf).item<float>() == 0);
  const auto gradient = scaler.scale(small).to(at::kHalf).to(at::kFloat);
  scaler.unscale(gradient);
  CHECK(std::abs(gradient.item<float>() - 1e-8F) < 1e-11F);
}

TEST_CASE("an infinity or NaN anywhere leaves the step out and halves the scale", "[grad_scaler]") {
  constexpr auto infinity = std::numeric_limits<float>::infinity();
  for (const auto odd_one : {infinity, -infinity, std::numeric_limits<float>::quiet_NaN()}) {
    GradScaler scaler(at::kCPU, {.start = 1024});
    CHECK_FALSE(step(scaler, gradients_with(odd_one)));
    CHECK(scale_of(scaler) == 512);
    CHECK(step(scaler, fine_gradients()));  // the flag is not kept
    CHECK(scale_of(scaler) == 512);
  }
}

TEST_CASE("the scale grows after so many steps in a row without overflow", "[grad_scaler]") {
  GradScaler scaler(at::kCPU, {.start = 8, .growth = 4, .backoff = 0.5, .interval = 3});
  CHECK(step(scaler, fine_gradients()));
  CHECK(step(scaler, fine_gradients()));
  CHECK(scale_of(scaler) == 8);
  CHECK_FALSE(step(scaler, gradients_with(std::numeric_limits<float>::infinity())));
  CHECK(scale_of(scaler) == 4);
  for (int i = 0; i < 2; ++i) CHECK(step(scaler, fine_gradients()));
  CHECK(scale_of(scaler) == 4);  // the row began anew
  CHECK(step(scaler, fine_gradients()));
  CHECK(scale_of(scaler) == 16);
}

TEST_CASE("inspecting finds an overflow and leaves the gradients scaled", "[grad_scaler]") {
  GradScaler scaler(at::kCPU, {.start = 16});
  const auto gradients = fine_gradients();
  scaler.inspect(gradients);
  CHECK_FALSE(scaler.overflowed());
  CHECK(at::equal(gradients[0], fine_gradients()[0]));
  scaler.inspect(gradients_with(std::numeric_limits<float>::quiet_NaN()));
  CHECK(scaler.overflowed());
  CHECK(scaler.found().item<float>() == 1);
}

TEST_CASE("started again, a scaler is as new", "[grad_scaler]") {
  GradScaler scaler(at::kCPU, {.start = 64, .interval = 2});
  CHECK_FALSE(step(scaler, gradients_with(std::numeric_limits<float>::infinity())));
  CHECK(step(scaler, fine_gradients()));
  scaler.start_again();
  CHECK(scale_of(scaler) == 64);
  CHECK(step(scaler, fine_gradients()));
  CHECK(scale_of(scaler) == 64);  // the step before the start does not count
}

}  // namespace
