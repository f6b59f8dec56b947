#include "harness/core/error_rates.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <numeric>
#include <vector>

using namespace harness;
using Catch::Approx;

TEST_CASE("Clopper and Pearson's bounds are those of scipy", "[self_test]") {
  CHECK(rate_upper_bound(0, 299) == Approx(0.009969146792958022));
  CHECK(rate_upper_bound(1, 473) == Approx(0.009989707474333804));
  CHECK(rate_upper_bound(4, 914) == Approx(0.009986583371546863));
  CHECK(rate_upper_bound(12, 2000) == Approx(0.009703194529155666));
  CHECK(rate_upper_bound(1, 500) == Approx(0.009452282208054455));
  CHECK(rate_lower_bound(59, 59) == Approx(0.9504923901115316));
  CHECK(rate_lower_bound(92, 93) == Approx(0.9500060216120116));
  CHECK(rate_lower_bound(177, 181) == Approx(0.9501446820511151));
}

TEST_CASE("bounds at the ends of the range, and without trials, say nothing too much", "[self_test]") {
  CHECK(rate_upper_bound(0, 0) == 1);
  CHECK(rate_upper_bound(7, 7) == 1);
  CHECK(rate_lower_bound(0, 7) == 0);
  CHECK(rate_lower_bound(0, 0) == 0);
}

TEST_CASE("false claims are accepted as in the table, and not with one comparison fewer", "[self_test]") {
  CHECK(accepts_false_claims(0, 299));
  CHECK_FALSE(accepts_false_claims(0, 298));
  CHECK(accepts_false_claims(1, 473));
  CHECK_FALSE(accepts_false_claims(1, 472));
  CHECK(accepts_false_claims(2, 628));
  CHECK(accepts_false_claims(3, 773));
  CHECK(accepts_false_claims(4, 1000));
  CHECK(accepts_false_claims(12, 2000));
  CHECK_FALSE(accepts_false_claims(0, 0));
}

TEST_CASE("the power is accepted as in the table, and not with one slowdown fewer", "[self_test]") {
  CHECK(accepts_power(59, 59));
  CHECK_FALSE(accepts_power(58, 58));
  CHECK(accepts_power(92, 93));
  CHECK(accepts_power(122, 124));
  CHECK(accepts_power(177, 181));
  CHECK_FALSE(accepts_power(91, 92));
  CHECK_FALSE(accepts_power(0, 0));
}

TEST_CASE("a pair's noise is the 99th percentile of its A/A distances, by nearest rank", "[self_test]") {
  CHECK(margin_noise({}) == 0);
  CHECK(margin_noise(std::vector{0.98, 1.01, 1.0}) == Approx(0.02));
  std::vector<double> ratios(200);
  std::iota(ratios.begin(), ratios.end(), 1.0);
  for (auto& ratio : ratios) ratio = 1 + ratio / 1000;  // distances 0.001 to 0.2: the 198th of 200
  CHECK(margin_noise(ratios) == Approx(0.198));
}

TEST_CASE("a margin is never below twice the noise", "[self_test]") {
  CHECK(calibrated_margin(0.03, 0.01) == Approx(0.03));
  CHECK(calibrated_margin(0.03, 0.02) == Approx(0.04));
}
