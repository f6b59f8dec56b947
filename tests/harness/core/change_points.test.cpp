#include "harness/core/change_points.hpp"

#include "tests/harness/core/noise.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <vector>

using namespace harness;
using Catch::Approx;

namespace {

/// `before` values about 0, then `after` values about `step`.
std::vector<double> series(example::Noise& noise, std::size_t before, std::size_t after, double step) {
  std::vector<double> values(before + after);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.02 * noise.normal() + (i < before ? 0 : step);
  return values;
}

}  // namespace

TEST_CASE("Welch's p-value is that of scipy's ttest_ind", "[change_points]") {
  CHECK(welch_p(std::vector{1.0, 1.1, 0.9, 1.05, 0.97}, std::vector{1.2, 1.3, 1.1, 1.24, 1.18}) ==
        Approx(0.002981785212850027));
  CHECK(welch_p(std::vector{1.0}, std::vector{2.0, 3.0}) == 1);
  CHECK(welch_p(std::vector{1.0, 1.0}, std::vector{1.0, 1.0}) == 1);
  CHECK(welch_p(std::vector{1.0, 1.0}, std::vector{2.0, 2.0}) == 0);
  CHECK(welch_p(std::vector{1e200, -1e200}, std::vector{1e200, -1e200}) == 1);
  CHECK(welch_p(std::vector{1e-85, 2e-85}, std::vector{3e-85, 4e-85}) == 0);
}

TEST_CASE("a clean step is found at its first value with its height", "[change_points]") {
  std::vector<double> values(20, 1.0);
  for (std::size_t i = 12; i < 20; ++i) values[i] = 1.1;
  const auto points = change_points(values);
  REQUIRE(points.size() == 1);
  CHECK(points[0].at == 12);
  CHECK(points[0].shift == Approx(0.1));
}

TEST_CASE("two steps are two change points, and one step across many windows is one", "[change_points]") {
  example::Noise noise(31);
  auto values = series(noise, 60, 60, 0.2);
  for (std::size_t i = 90; i < 120; ++i) values[i] -= 0.3;
  const auto points = change_points(values);
  REQUIRE(points.size() == 2);
  CHECK(points[0].at == 60);
  CHECK(points[1].at == 90);
}

TEST_CASE("a step below 3 %, a single wild value and fewer than two levels are none", "[change_points]") {
  std::vector<double> values(20, 1.0);
  for (std::size_t i = 10; i < 20; ++i) values[i] = 1.02;
  CHECK(change_points(values).empty());
  values.assign(20, 1.0);
  values[9] = 5;
  CHECK(change_points(values).empty());
  CHECK(change_points(std::vector<double>(9, 1.0)).empty());
  CHECK(change_points({}).empty());
}

TEST_CASE("of 500 stationary series of 100 values at most 1 % have a change point", "[change_points]") {
  example::Noise noise(32);
  int alarms = 0;
  for (int trial = 0; trial < 500; ++trial) alarms += change_points(series(noise, 100, 0, 0)).empty() ? 0 : 1;
  CHECK(alarms <= 5);
}

TEST_CASE("a step of 5 % in noise of 2 % is found within 20 values in 97 % of 300 cases", "[change_points]") {
  example::Noise noise(33);
  int found = 0;
  for (int trial = 0; trial < 300; ++trial)
    for (const auto& point : change_points(series(noise, 40, 20, std::log(1.05))))
      found += point.at >= 37 && point.at <= 43 ? 1 : 0;
  CHECK(found >= 291);
}
