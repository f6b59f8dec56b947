#include "harness/core/interval.hpp"

#include "harness/core/median.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <numeric>
#include <vector>

using namespace harness;

namespace {

std::vector<double> numbers_to(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

}  // namespace

TEST_CASE("the order statistic is that of the table", "[interval]") {
  constexpr double three_looks = 0.01 / 3;
  CHECK(order_statistic(14, three_looks) == 2);
  CHECK(order_statistic(28, three_looks) == 6);
  CHECK(order_statistic(56, three_looks) == 17);
  CHECK(order_statistic(12, 0.01) == 2);
  CHECK(order_statistic(24, 0.01) == 6);
  CHECK(order_statistic(56, 0.01) == 18);
}

TEST_CASE("the error of an interval is the binomial's two tails", "[interval]") {
  CHECK(interval_error(14, 1) == Catch::Approx(2.0 / 16384));
  CHECK(interval_error(14, 2) == Catch::Approx(2.0 * 15 / 16384));  // 0.0018
  CHECK(interval_error(28, 6) == Catch::Approx(0.0009).margin(0.00005));
  CHECK(interval_error(56, 17) == Catch::Approx(0.0018).margin(0.0005));
}

TEST_CASE("too few values reach no error rate and have no interval", "[interval]") {
  CHECK(order_statistic(7, 0.01) == 0);  // 2 / 2^7 is above 1 %
  CHECK(order_statistic(8, 0.01) == 1);  // 2 / 2^8 is below
  CHECK_FALSE(median_interval(numbers_to(7), 0.01));
  CHECK_FALSE(median_interval({}, 0.01));
  CHECK(interval_error(0, 1) == 1);
}

TEST_CASE("the interval lies between the k-th smallest and the k-th largest value, in any order",
          "[interval]") {
  auto values = numbers_to(14);
  std::swap(values[0], values[13]);
  CHECK(median_interval(values, 0.01 / 3) == Interval{2, 13});
  CHECK(median_interval(numbers_to(56), 0.01 / 3) == Interval{17, 40});
}

TEST_CASE("one wild value among fourteen does not move the interval's inner ends", "[interval]") {
  auto values = numbers_to(14);
  values[13] = 1e9;
  CHECK(median_interval(values, 0.01 / 3) == Interval{2, 13});
}

TEST_CASE("the robust standard deviation is 1.4826 median absolute deviations", "[interval]") {
  const std::vector<double> values{1, 2, 3, 4, 100};
  CHECK(robust_sd(values) == Catch::Approx(1.4826));
  CHECK(robust_sd({}) == 0);
}

TEST_CASE("Hodges and Lehmann's estimate is the median of pairwise means", "[interval]") {
  const std::vector<double> values{0, 1, 5};  // means 0, 0.5, 1, 2.5, 3, 5
  CHECK(hodges_lehmann(values) == 1.75);
  CHECK(hodges_lehmann({}) == 0);
}

TEST_CASE("the median of an even count is the mean of the middle two", "[interval]") {
  CHECK(median({4, 1, 3, 2}) == 2.5);
  CHECK(median({5, 1, 3}) == 3);
  CHECK(median({7}) == 7);
}
