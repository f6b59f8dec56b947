#include "tests/harness/core/noise.hpp"

#include "harness/core/allot.hpp"
#include "harness/core/verdict.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <limits>
#include <vector>

using namespace harness;

namespace {

const Rule rule{.looks = allotted_looks, .delta = 0.03};
const Rule with_early{.looks = allotted_looks, .delta = 0.05, .early = early_looks};
constexpr double unlimited = std::numeric_limits<double>::infinity();

/// Ten rounds about a median, spread evenly: the median absolute deviation is 2.5 steps.
std::vector<double> ten(double median, double step) {
  std::vector<double> values;
  for (int i = 0; i < 10; ++i) values.push_back(median + (i - 4.5) * step);
  return values;
}

TEST_CASE("all looks together keep the promised error of 1 %", "[allot]") {
  double error = 0;
  for (const auto look : rule.looks) error += interval_error(look, order_statistic(look, rule.alpha_look()));
  CHECK(error == Catch::Approx(0.00899).margin(0.00001));  // k = 1, 2, 4, 9 and 17
}

TEST_CASE("a row without noise is certain of its verdict at the next look, and one at delta never is",
          "[allot]") {
  const auto clear = std::vector(10, -0.2), edge = ten(std::log1p(0.03), 0.02);
  CHECK(chance_at({clear, 0.03}, rule, 14) == 1);
  CHECK(outlook({clear, 0.03}, rule, unlimited).look == 14);
  CHECK(chance_at({edge, 0.03}, rule, 56) < least_chance);
  CHECK(outlook({edge, 0.03}, rule, unlimited).look == 0);
}

TEST_CASE("a verdict falls about as often as its chance promises, or more often", "[allot]") {
  example::Noise noise(41);
  constexpr int trials = 2000;
  for (const auto effect : {0.0, 0.05, 0.08}) {
    double promised = 0;
    int met = 0;
    for (int trial = 0; trial < trials; ++trial) {
      std::vector<double> units;
      while (units.size() < 14) units.push_back(effect + 0.03 * noise.normal());
      promised += chance_at({units, 0.03}, rule, 35);
      while (units.size() < 35) units.push_back(effect + 0.03 * noise.normal());
      met +=
          judge_interval(*median_interval(units, rule.alpha_look()), 0.03) != Verdict::inconclusive ? 1 : 0;
    }
    INFO(effect << ": promised " << promised / trials << ", met " << static_cast<double>(met) / trials);
    CHECK(met >= promised - 0.1 * trials);
    CHECK(met <= promised + 0.3 * trials);  // it is cautious, not empty
  }
}

TEST_CASE("rows with the largest chance for their time go on, until the time is full", "[allot]") {
  const auto clear = std::vector(10, -0.2), noisy = ten(0.09, 0.03), hopeless = ten(0, 0.5);
  const std::vector<OpenRow> rows{{hopeless, 0.03, 1}, {noisy, 0.03, 1}, {clear, 0.03, 1}};
  CHECK(allot(rows, rule, unlimited, 0) == std::vector<std::size_t>{1, 2});
  CHECK(allot(rows, rule, 4, 0) == std::vector<std::size_t>{2});  // four rounds, to the look at 14
  CHECK(allot(rows, rule, 4, 0.1).empty());                       // that each start with 0.1
  CHECK(allot(rows, rule, 3, 0).empty());
}

TEST_CASE("a row goes on to a nearer look where the best one's rounds, each with its start, do not fit",
          "[allot]") {
  const std::vector three{0.08, 0.14, -0.24};
  const std::vector<OpenRow> rows{{three, 0.05, 0.9}};
  const auto far = outlook(rows.front(), with_early, 18, 0);
  REQUIRE(far.seconds + 0.15 * (far.look - 3) > 18);
  CHECK(allot(rows, with_early, 18, 0.15, 0) == std::vector<std::size_t>{0});
}

TEST_CASE("commands whose runs lie apart are expected to be told once these are enough", "[allot]") {
  // As far as no further run lies between them: each of two is the farthest of eight with a chance of 3/4.
  const std::vector scattered{0.2, 0.5, 0.9};
  OpenRow row{scattered, 0.05, 1, Processes{.naive = {0, 0.1}, .optimized = {0.3, 0.4}, .of_each = 6}};
  CHECK(chance_at(row, with_early, 4) == Catch::Approx(9.0 / 16));
  CHECK(outlook(row, with_early, unlimited).look == 4);
  row.processes->optimized = {0.12, 0.2};  // 2 % apart
  CHECK(chance_at(row, with_early, 4) < 0.01);
  row.processes->optimized = {0.3, 0.6};  // three times as wide
  CHECK(chance_at(row, with_early, 4) < 0.01);
}

}  // namespace
