#include "prices/pace.hpp"

#include <catch2/catch_test_macros.hpp>

using prices::Pace;

TEST_CASE("the forecast of a price list names the other programs that will make it false", "[prices]") {
  const Pace pace(122, 1.15);
  CHECK(pace.forecast(0.02) == "122 prices, about 2 min 21 s");
  CHECK(pace.forecast(std::nullopt) == "122 prices, about 2 min 21 s");
  CHECK(
      pace.forecast(0.62) ==
      "122 prices, about 2 min 21 s on a quiet machine; other programs take 62 % of the CPUs now: wait until "
      "they have ended, or it takes longer, and the prices are not to be trusted");
  CHECK(Pace(1, 0.25).forecast(0) == "1 price, about 1 s");
}

TEST_CASE("the forecast follows while the prices are measured, by their own pace", "[prices]") {
  Pace pace(40, 0.25);
  for (int i = 0; i < 9; ++i) CHECK(pace.row_ended(1.7 * i, 0.9).empty());
  const auto said = pace.row_ended(16, 0.9);  // of a forecast of 10 s
  CHECK(said.starts_with("10 of 40 prices in 16 s, about "));
  CHECK(said.ends_with(" left; other programs took 90 % of the CPUs"));
  CHECK(pace.row_ended(45, 0.9).empty());
  CHECK(pace.row_ended(46, 0.02).ends_with(" left"));
  Pace long_list(1000, 1);
  CHECK(long_list.row_ended(29, 0).empty());
  CHECK_FALSE(long_list.row_ended(30, 0).empty());
}

TEST_CASE("a price list that ends in time, or has no row left, says nothing of its pace", "[prices]") {
  Pace pace(2, 0.25);
  CHECK(pace.row_ended(1, 0).empty());
  CHECK(pace.row_ended(100, 0).empty());
}
