#include "harness/core/canary.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <vector>

using namespace harness;

namespace {

using Rounds = std::vector<std::vector<double>>;

}  // namespace

TEST_CASE("a round whose canary is more than 3 % off the session's median is marked", "[canary]") {
  const Rounds rounds{{1.0}, {1.029}, {1.0}, {1.031}, {0.969}};
  const auto report = canary_report(rounds);
  CHECK(report.marked == std::vector{false, false, false, true, true});
  CHECK(report.largest == Catch::Approx(-std::log(0.969)));
}

TEST_CASE("one of a round's three canaries may be off: its median counts", "[canary]") {
  const Rounds rounds{{1.0, 1.0, 1.0}, {1.0, 2.0, 1.0}, {1.0, 1.0, 1.0}};
  CHECK(canary_report(rounds).marked == std::vector{false, false, false});
}

TEST_CASE("rounds without a canary are not marked, and take no part in the median", "[canary]") {
  const Rounds rounds{{}, {1.0}, {1.5}, {1.0}, {}};
  CHECK(canary_report(rounds).marked == std::vector{false, false, true, false, false});
  CHECK(canary_report(Rounds{{}, {}}).largest == 0);
}

TEST_CASE("the sway is the distance of calm from busy rounds, where chance does not explain it",
          "[throttle]") {
  const std::vector<double> canaries{1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9};
  const std::vector<double> apart{-0.1,  -0.4,  -0.11, -0.41, -0.12, -0.42,
                                  -0.13, -0.43, -0.14, -0.44, -0.15, -0.45};
  CHECK(std::abs(*sway_of(canaries, apart) - 0.3) < 1e-9);
  // Four of the six calm rounds lie above the median, as in 57 % of all cases: 2 x (15 x 15 + 6 x 6 + 1) /
  // 924.
  const std::vector<double> mixed{3, 1, 3.1, 1.1, 3.2, 1.2, 3.3, 1.3, 1.4, 3.4, 1.5, 3.5};
  CHECK(sway_of(canaries, mixed) == 0);
  CHECK_FALSE(sway_of(std::vector{1.0, 2.0}, std::vector{1.0, 2.0}));
  CHECK(sway_of(canaries, std::vector<double>(12, -0.5)) == 0);
}
