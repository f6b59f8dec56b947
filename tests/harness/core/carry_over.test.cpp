#include "harness/core/slot_order.hpp"
#include "harness/core/verdict.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace harness;
using Catch::Approx;

namespace {

std::array<double, 4> quad(double a1, double b1, double b2, double a2) {
  return {std::exp(a1), std::exp(b1), std::exp(b2), std::exp(a2)};
}

}  // namespace

TEST_CASE("forms of different speed carry nothing over by themselves", "[carry_over]") {
  CHECK(quad_carry(quad(0, 0.5, 0.5, 0)) == Approx(0).margin(1e-12));
}

TEST_CASE("a steady drift is not a carry-over", "[carry_over]") {
  CHECK(quad_carry(quad(0.00, 0.51, 0.52, 0.03)) == Approx(0).margin(1e-12));
}

TEST_CASE("slots that follow the other form and are 4 % slower show it", "[carry_over]") {
  CHECK(quad_carry(quad(0, 0.54, 0.5, 0.04)) == Approx(0.04));     // the first slot follows its own form
  CHECK(quad_carry(quad(0.04, 0.54, 0.5, 0.04)) == Approx(0.03));  // the first slot follows the other one
}

TEST_CASE("a carry-over that could have made the verdict leaves none", "[carry_over]") {
  UnitEvidence evidence{std::vector<double>(14, -0.045), std::vector<double>(14, 0.02)};
  const auto judged = judge(evidence, {});  // the band is 0.0296: -0.025 would be inside of it
  CHECK(judged.verdict == Verdict::inconclusive);
  CHECK(std::ranges::find(judged.flags, "carryover") != judged.flags.end());
  evidence.carries.assign(14, 0.01);  // below half of 3 %
  CHECK(judge(evidence, {}).verdict == Verdict::helps);
  CHECK(judge(evidence, {}).flags.empty());
}

TEST_CASE("forms that lie further apart than the carry-over reaches keep their verdict and its flag",
          "[carry_over]") {
  const UnitEvidence evidence{std::vector<double>(14, std::log(0.5)), std::vector<double>(14, 0.08)};
  const auto judged = judge(evidence, {});
  CHECK(judged.verdict == Verdict::helps);
  CHECK(std::ranges::find(judged.flags, "carryover") != judged.flags.end());
}

TEST_CASE("equal forms with a carry-over are not called equal", "[carry_over]") {
  const UnitEvidence evidence{std::vector<double>(14, 0.0), std::vector<double>(14, 0.04)};
  CHECK(judge(evidence, {}).verdict == Verdict::inconclusive);
}

TEST_CASE("a carry-over whose interval holds 0 does not matter", "[carry_over]") {
  std::vector<double> carries(14, 0.05);
  for (std::size_t i = 0; i < 6; ++i) carries[i] = -0.05;
  CHECK_FALSE(matters(carry_over(carries), 0.03));
  CHECK_FALSE(matters(carry_over(std::vector<double>(5, 0.05)), 0.03));  // too few for an interval
  CHECK(carry_over({}).estimate == 0);
}
