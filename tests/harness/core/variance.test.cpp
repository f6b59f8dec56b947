#include "harness/core/variance.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <vector>

using namespace harness;
using Catch::Approx;
using Rounds = std::vector<std::vector<double>>;

TEST_CASE("the model separates noise within from noise between launches, worked by hand", "[variance]") {
  // Two rounds of two pairs: variance 2 within each; means 1 and 5 have variance 8; 8 - 2 / 2 = 7.
  const auto split = split_variance(Rounds{{0, 2}, {4, 6}});
  CHECK(split.within == Approx(2));
  CHECK(split.launch == Approx(7));
}

TEST_CASE("launches that scatter less than their pairs explain add no noise of their own", "[variance]") {
  CHECK(split_variance(Rounds{{0, 2}, {0, 2}}).launch == 0);
}

TEST_CASE("one pair a round, or one round, cannot tell the two apart", "[variance]") {
  CHECK(split_variance(Rounds{{1}, {2}}).within == 0);
  CHECK(split_variance(Rounds{{1, 2}}).within == 0);
  CHECK(split_variance({}).launch == 0);
}

TEST_CASE("the best number of pairs, worked by hand", "[variance]") {
  CHECK(best_pairs({4, 1}, 1, 1) == 2);    // sqrt(4)
  CHECK(best_pairs({4, 1}, 2.5, 1) == 4);  // sqrt(10) = 3.2
  CHECK(best_pairs({1, 100}, 1, 1) == 1);  // 0.1
  CHECK(best_pairs({100, 1}, 1, 1) == 8);  // 10, capped
  CHECK(best_pairs({1, 0}, 1, 1) == 8);    // nothing arises in the launch
  CHECK(best_pairs({0, 0}, 1, 1) == 1);    // no noise at all
}
