#include "harness/stats/williams.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

using namespace harness;

TEST_CASE("the Williams square of four variants, worked by hand", "[williams]") {
  CHECK(williams_square(4) ==
        std::vector<std::vector<int>>{{0, 1, 3, 2}, {1, 2, 0, 3}, {2, 3, 1, 0}, {3, 0, 2, 1}});
}

TEST_CASE("an odd number of variants adds every row reversed", "[williams]") {
  CHECK(williams_square(3) ==
        std::vector<std::vector<int>>{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}, {0, 2, 1}, {1, 0, 2}});
}

TEST_CASE("each variant stands at each place, and follows each other one, equally often", "[williams]") {
  const auto variants = GENERATE(2, 3, 4, 5, 6, 7, 10);
  const auto square = williams_square(variants);
  std::map<std::pair<int, int>, int> follows, places;
  for (const auto& row : square)
    for (std::size_t i = 0; i < row.size(); ++i) {
      ++places[{static_cast<int>(i), row[i]}];
      if (i > 0) ++follows[{row[i - 1], row[i]}];
    }
  const auto counts = [](const auto& map) {
    std::set<int> distinct;
    for (const auto& [key, count] : map) distinct.insert(count);
    return distinct;
  };
  CHECK(places.size() == static_cast<std::size_t>(variants * variants));
  CHECK(follows.size() == static_cast<std::size_t>(variants * (variants - 1)));
  CHECK(counts(places).size() == 1);
  CHECK(counts(follows).size() == 1);
}

TEST_CASE("the rounds take the rows of the square in turn", "[williams]") {
  CHECK(williams_row(4, 0) == std::vector{0, 1, 3, 2});
  CHECK(williams_row(4, 5) == std::vector{1, 2, 0, 3});
  CHECK(williams_row(1, 3) == std::vector{0});
}
