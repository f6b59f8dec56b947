#include "harness/core/disturbances.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>

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
