#include "harness/core/slot_order.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <map>
#include <set>

using namespace harness;

namespace {

constexpr int seeds = 2000;

/// The form that a quad begins with, if it is ABBA or BAAB; nothing else is allowed.
bool is_balanced(const QuadPlan& quad) {
  return quad[0] == quad[3] && quad[1] == quad[2] && quad[0].form != quad[1].form;
}

std::size_t set_of(const QuadPlan& quad, Form form) {
  return std::ranges::find(quad, form, &SlotPlan::form)->set;
}

}  // namespace

TEST_CASE("every quad is ABBA or BAAB, for any seed", "[schedule]") {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Random random(seed);
    for (const auto& quad : plan_pair(random)) REQUIRE(is_balanced(quad));
  }
}

TEST_CASE("in a quad each form has a set of its own, and keeps it", "[schedule]") {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Random random(seed);
    for (const auto& quad : plan_pair(random))
      REQUIRE(set_of(quad, Form::naive) + set_of(quad, Form::optimized) == 1);
  }
}

TEST_CASE("a unit has one quad with each form inside", "[schedule]") {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Random random(seed);
    const auto unit = plan_pair(random);
    REQUIRE(unit[0][1].form != unit[1][1].form);
  }
}

TEST_CASE("the second quad of a unit has the sets of the first one swapped", "[schedule]") {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Random random(seed);
    const auto unit = plan_pair(random);
    REQUIRE(set_of(unit[0], Form::naive) == set_of(unit[1], Form::optimized));
  }
}

TEST_CASE("who goes first and who starts on which set are fair coins, independent of each other",
          "[schedule]") {
  std::map<std::pair<Form, std::size_t>, int> counts;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Random random(seed);
    const auto unit = plan_pair(random);
    ++counts[{unit[0][0].form, unit[0][0].set}];
  }
  CHECK(counts.size() == 4);
  // 500 each on average, standard deviation 19.4: five of them.
  for (const auto& [which, count] : counts) CHECK(std::abs(count - seeds / 4) < 97);
}

TEST_CASE("the same seed gives the same schedule, another seed another", "[schedule]") {
  const auto plan = [](std::uint64_t seed) {
    Random random(seed);
    std::vector<PairPlan> units;
    for (int i = 0; i < 20; ++i) units.push_back(plan_pair(random));
    return units;
  };
  CHECK(plan(7) == plan(7));
  CHECK(plan(7) != plan(8));
}

TEST_CASE("a row's seed depends on the session's seed and on the row's name", "[schedule]") {
  CHECK(row_seed(1, "a/b") == row_seed(1, "a/b"));
  std::set<std::uint64_t> different;
  for (const auto* name : {"a/b", "a/c", "b/a", ""})
    for (const std::uint64_t seed : {0U, 1U, 2U}) different.insert(row_seed(seed, name));
  CHECK(different.size() == 12);
}

TEST_CASE("shuffling keeps every item, and reaches every order", "[schedule]") {
  std::set<std::vector<int>> orders;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    std::vector<int> items{1, 2, 3};
    shuffle(items, random);
    orders.insert(items);
    std::ranges::sort(items);
    REQUIRE(items == std::vector<int>{1, 2, 3});
  }
  CHECK(orders.size() == 6);
}

TEST_CASE("a number below n is below n, and each is as likely", "[schedule]") {
  Random random(3);
  std::vector<int> counts(5);
  for (int i = 0; i < 5000; ++i) ++counts.at(random.below(5));
  for (const auto count : counts) CHECK(std::abs(count - 1000) < 150);  // five standard deviations
}
