#include "harness/trace/window.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace harness;
using namespace harness::trace;

TEST_CASE("a union counts what overlaps once and leaves empty intervals out", "[trace]") {
  const Intervals set = merged({{10, 20}, {0, 5}, {15, 30}, {7, 7}, {5, 6}});
  REQUIRE(set.size() == 2);
  CHECK(set[0].end == 6);
  CHECK(length(set) == 6 + 20);
}

TEST_CASE("an intersection holds what lies in both", "[trace]") {
  const Intervals both = intersection({{0, 10}, {20, 30}}, {{5, 25}, {29, 40}});
  REQUIRE(both.size() == 3);
  CHECK(length(both) == 5 + 5 + 1);
}

TEST_CASE("coverage tells how much of a window is covered", "[trace]") {
  const Coverage coverage({{10, 20}, {30, 40}});
  CHECK(coverage.within(0, 100) == 20);
  CHECK(coverage.within(15, 35) == 10);
  CHECK(coverage.within(20, 30) == 0);
  CHECK(coverage.within(40, 10) == 0);
}

}  // namespace
