#include "prices/price_list.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <vector>

using Catch::Approx;
using namespace prices;

namespace {

/// Times of t = a + n / b from 1 KiB to 1 GiB.
std::vector<Timed> times_of(double start, double per_second) {
  std::vector<Timed> times;
  for (double bytes = 1024; bytes <= 1073741824; bytes *= 4)
    times.push_back({bytes, start + bytes / per_second});
  return times;
}

}  // namespace

TEST_CASE("a line is found again in its own points, however far the sizes reach", "[fit]") {
  const auto line = fit(times_of(8e-6, 12.5e9));
  REQUIRE(line);
  CHECK(line->start == Approx(8e-6));
  CHECK(1 / line->per_byte == Approx(12.5e9));
  CHECK(line->worst < 1e-9);
}

TEST_CASE("the fit of three points is that of the normal equations", "[fit]") {
  // t = 2, 3, 5 for n = 1, 2, 3: sums over u = 1/t and v = n/t.
  const std::vector<Timed> times{{1, 2}, {2, 3}, {3, 5}};
  const auto line = fit(times);
  REQUIRE(line);
  const double uu = 0.25 + 1.0 / 9 + 0.04;
  const double uv = 0.25 + 2.0 / 9 + 0.12;
  const double vv = 0.25 + 4.0 / 9 + 0.36;
  const double u = 0.5 + 1.0 / 3 + 0.2;
  const double v = 0.5 + 2.0 / 3 + 0.6;
  const double determinant = uu * vv - uv * uv;
  CHECK(line->start == Approx((u * vv - v * uv) / determinant));
  CHECK(line->per_byte == Approx((v * uu - u * uv) / determinant));
  CHECK(line->worst > 0);
}

TEST_CASE("small sizes count as much as large ones", "[fit]") {
  auto times = times_of(1e-6, 1e9);
  times.back().seconds *= 1.1;
  CHECK(fit(times)->start == Approx(1e-6).epsilon(0.05));
}

TEST_CASE("neither the start nor a byte ever costs less than nothing", "[fit]") {
  const std::vector<Timed> rising{{1000, 1e-6}, {2000, 3e-6}, {3000, 5e-6}};
  CHECK(fit(rising)->start == 0);
  CHECK(fit(rising)->per_byte > 0);
  const std::vector<Timed> falling{{1000, 3e-6}, {2000, 2e-6}, {3000, 1e-6}};
  CHECK(fit(falling)->per_byte == 0);
  CHECK(fit(falling)->start > 0);
}

TEST_CASE("two sizes make no line: through two points there always is one", "[fit]") {
  const std::vector<Timed> two{{1024, 1e-6}, {2048, 2e-6}};
  CHECK_FALSE(fit(two));
}

TEST_CASE("one size makes no line", "[fit]") {
  CHECK_FALSE(fit({}));
  const std::vector<Timed> one{{1024, 1e-6}};
  CHECK_FALSE(fit(one));
  const std::vector<Timed> twice{{1024, 1e-6}, {1024, 2e-6}};
  CHECK_FALSE(fit(twice));
  const std::vector<Timed> untimed{{1024, 1e-6}, {2048, 0}};
  CHECK_FALSE(fit(untimed));
}

TEST_CASE("batching pays up to the last size in a row that is less than half as fast as a larger one",
          "[fit]") {
  // Rates of 1, 2, 3, 8, 3, 6 a second: 3 is less than half of 8, 8 is not of 6. That the second 3 is as fast
  // as half of the last counts no more.
  const std::vector<Timed> times{{1, 1}, {2, 1}, {3, 1}, {8, 1}, {9, 3}, {12, 2}};
  CHECK(batching_pays(times) == 3);
}

TEST_CASE("batching pays at no size where the smallest is fast already, or there is but one", "[fit]") {
  const std::vector<Timed> fast{{1, 1}, {4, 2}, {16, 8}};
  CHECK_FALSE(batching_pays(fast));
  CHECK_FALSE(batching_pays({}));
  const std::vector<Timed> one{{1, 1}};
  CHECK_FALSE(batching_pays(one));
}

TEST_CASE("at the break-even starting costs as much as the bytes", "[fit]") {
  CHECK(Line{.start = 8e-6, .per_byte = 1e-9}.break_even() == Approx(8000));
  CHECK(Line{.start = 8e-6, .per_byte = 0}.break_even() == 0);
}
