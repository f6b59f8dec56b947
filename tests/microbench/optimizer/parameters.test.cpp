#include "microbench/optimizer/parameters.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstddef>
#include <functional>
#include <variant>
#include <vector>

namespace {

using namespace harness;
using microbench::Parameters;

std::vector<float> values_after(int steps, const std::function<void(Parameters&)>& step) {
  Setup setup;
  setup.seed = 7;
  Parameters parameters(setup, 3, 40);
  for (int i = 0; i < steps; ++i) step(parameters);
  return std::get<std::vector<float>>(parameters.values());
}

/// Adam in double for one value whose gradient never changes.
double adam(double value, double gradient, int steps) {
  double mean = 0;
  double square = 0;
  for (int t = 1; t <= steps; ++t) {
    mean = 0.9 * mean + 0.1 * gradient;
    square = 0.999 * square + 0.001 * gradient * gradient;
    const double unbiased = mean / (1 - std::pow(0.9, t));
    value -= 0.01 * unbiased / (std::sqrt(square / (1 - std::pow(0.999, t))) + 1e-8);
  }
  return value;
}

/// The gradient of a parameter's value is half of its neighbour on the left, around the corner.
std::vector<double> expected_after(int steps) {
  const auto start = values_after(0, [](Parameters&) {});
  std::vector<double> expected;
  for (std::size_t tensor = 0; tensor < 3; ++tensor)
    for (std::size_t i = 0; i < 40; ++i)
      expected.push_back(adam(start[tensor * 40 + i], 0.5 * start[tensor * 40 + (i + 39) % 40], steps));
  return expected;
}

void check_against_double(const std::function<void(Parameters&)>& step) {
  for (const int steps : {1, 5}) {
    const auto expected = expected_after(steps);
    const auto got = values_after(steps, step);
    REQUIRE(got.size() == expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) CHECK(std::abs(got[i] - expected[i]) < 2e-5);
  }
}

TEST_CASE("Adam's step over one tensor after the other is Adam's", "[optimizer]") {
  check_against_double([](Parameters& p) { p.step_by_tensor(); });
}

TEST_CASE("so is the step over lists of tensors", "[optimizer]") {
  check_against_double([](Parameters& p) { p.step_foreach(); });
}

TEST_CASE("so is the fused step", "[optimizer]") {
  check_against_double([](Parameters& p) { p.step_fused(); });
}

TEST_CASE("so is the step whose count lies on the device", "[optimizer]") {
  check_against_double([](Parameters& p) { p.step_by_tensor_on_device(); });
}

TEST_CASE("a reset is the start again", "[optimizer]") {
  const auto once = values_after(1, [](Parameters& p) { p.step_fused(); });
  const auto again = values_after(1, [](Parameters& p) {
    p.step_by_tensor();
    p.step_foreach();
    p.step_fused();
    p.reset();
    p.step_fused();
  });
  CHECK(once == again);
}

}  // namespace
