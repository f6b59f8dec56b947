#include "harness/core/interval.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <vector>

using namespace harness;
using Catch::Approx;

namespace {

/// `units` zeros, the last `wild` of them 100 instead.
std::vector<double> base(std::size_t units, std::size_t wild = 0) {
  std::vector<double> values(units, 0);
  for (std::size_t i = units - wild; i < units; ++i) values[i] = 100;
  return values;
}

}  // namespace

TEST_CASE("a series that lies wholly above has the p-value of its widest interval", "[two_medians]") {
  const TwoMedians test(28, 14);
  const std::vector<double> ones(14, 1);
  CHECK(test.p_above(base(28), ones, 0.5) == Approx(std::ldexp(2.0, -14)));  // 2 P(Bin(14, 1/2) <= 0)
  CHECK(test.p_below(base(28), ones, 0.5) == 1);
}

TEST_CASE("a series that lies wholly below is the mirror image", "[two_medians]") {
  const TwoMedians test(28, 14);
  const std::vector<double> minus(14, -1);
  CHECK(test.p_below(base(28), minus, -0.5) == Approx(std::ldexp(2.0, -14)));
  CHECK(test.p_above(base(28), minus, -0.5) == 1);
}

TEST_CASE("each unit that does not lie above takes the next interval", "[two_medians]") {
  const TwoMedians test(28, 14);
  std::vector<double> series(14, 1);
  series[0] = 0;
  CHECK(test.p_above(base(28), series, 0.5) == Approx(2.0 * (1 + 14) / 16384));
  series[1] = 0;
  CHECK(test.p_above(base(28), series, 0.5) == Approx(2.0 * (1 + 14 + 91) / 16384));
}

TEST_CASE("wild values of the base count as far as its own interval reaches", "[two_medians]") {
  const TwoMedians test(28, 14);
  const std::vector<double> ones(14, 1);
  // 28 units at 2^-13: the 4th from each end, since 2 (1 + 28 + 378 + 3276) / 2^28 fits and one more does
  // not.
  CHECK(test.p_above(base(28, 3), ones, 0.5) == Approx(std::ldexp(2.0, -14)));
  CHECK(test.p_above(base(28, 4), ones, 0.5) == Approx(2.0 * (1 + 14) / 16384));
}

TEST_CASE("a difference equal to the threshold speaks against the claim", "[two_medians]") {
  const TwoMedians test(28, 14);
  CHECK(test.p_above(base(28), std::vector<double>(14, 1), 1) == 1);
  CHECK(test.p_below(base(28), std::vector<double>(14, -1), -1) == 1);
}

TEST_CASE("two units on one side prove next to nothing", "[two_medians]") {
  // [x_(1), x_(2)] of two is wrong half of the time; of 14 units the 7th is the first with so large an error.
  const TwoMedians test(2, 14);
  CHECK(test.p_above(base(2), std::vector<double>(14, 1), 0) ==
        Approx(2.0 * (1 + 14 + 91 + 364 + 1001 + 2002 + 3003) / 16384));
  CHECK(TwoMedians(14, 1).p_above(base(14), std::vector<double>(1, 1), 0) == 1);
}
