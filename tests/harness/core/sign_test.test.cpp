#include "harness/core/interval.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <vector>

using namespace harness;
using Catch::Approx;

namespace {

/// `above` values at 1 and the others at -1.
std::vector<double> signs(std::size_t above, std::size_t n) {
  std::vector<double> values(n, -1);
  std::fill_n(values.begin(), above, 1);
  return values;
}

}  // namespace

TEST_CASE("the sign test's p-values are those of scipy's binomtest", "[sign_test]") {
  CHECK(p_median_above(signs(12, 14), 0) == Approx(0.0064697265625));
  CHECK(p_median_above(signs(13, 14), 0) == Approx(0.00091552734375));
  CHECK(p_median_above(signs(22, 28), 0) == Approx(0.0018595829606056213));
  CHECK(p_median_above(signs(40, 56), 0) == Approx(0.000920777394246272));
}

TEST_CASE("no sign test goes below 2 to the power of -n", "[sign_test]") {
  CHECK(p_median_above(signs(14, 14), 0) == Approx(1.0 / 16384));
  CHECK(p_median_above(signs(12, 12), 0) == Approx(1.0 / 4096));
}

TEST_CASE("the test below is the test above, mirrored", "[sign_test]") {
  CHECK(p_median_below(signs(2, 14), 0) == p_median_above(signs(12, 14), 0));
}

TEST_CASE("a value on the threshold speaks against the claim on both sides", "[sign_test]") {
  CHECK(p_median_above(std::vector<double>(14, 0.5), 0.5) == 1);
  CHECK(p_median_below(std::vector<double>(14, 0.5), 0.5) == 1);
}

TEST_CASE("values inside the band on both sides are shown to be equal by the worse of the two",
          "[sign_test]") {
  auto values = std::vector<double>(14, 0.0);
  CHECK(p_median_within(values, 0.03) == Approx(1.0 / 16384));
  values[0] = values[1] = 0.05;  // two above the band: 12 of 14 below its upper edge
  CHECK(p_median_within(values, 0.03) == Approx(0.0064697265625));
}

TEST_CASE("without values nothing is shown", "[sign_test]") {
  CHECK(p_median_above({}, 0) == 1);
  CHECK(p_median_within({}, 1) == 1);
}
