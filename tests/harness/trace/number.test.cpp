#include "harness/trace/trace_text.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using harness::trace::integer;
using harness::trace::nanoseconds;

TEST_CASE("microseconds become nanoseconds to the digit, where a double would round", "[trace]") {
  CHECK(nanoseconds("1712195495519689.067") == 1712195495519689067);
  CHECK(nanoseconds("4369110323615.5") == 4369110323615500);
  CHECK(nanoseconds("7") == 7000);
  CHECK(nanoseconds("0.004") == 4);
}

TEST_CASE("digits below the nanosecond are dropped", "[trace]") { CHECK(nanoseconds("1.2349999") == 1234); }

TEST_CASE("times below 0, with an exponent and in quotes are read", "[trace]") {
  CHECK(nanoseconds("-1.5") == -1500);
  CHECK(nanoseconds("1.5e3") == 1500000);
  CHECK(nanoseconds("\"12\" ") == 12000);
}

TEST_CASE("text that is not a number, or lies beyond the year 2065, gives no time", "[trace]") {
  CHECK_FALSE(nanoseconds("1e999"));
  CHECK_FALSE(nanoseconds("99999999999999999999"));
  CHECK_FALSE(nanoseconds("3000000000000001"));
  CHECK_FALSE(nanoseconds("-"));
  CHECK_FALSE(nanoseconds("1.5x"));
  CHECK_FALSE(nanoseconds("null"));
  CHECK_FALSE(nanoseconds(""));
}

TEST_CASE("the farthest time still is one", "[trace]") {
  CHECK(nanoseconds("3000000000000000") == harness::trace::farthest_ns);
}

TEST_CASE("ids are read with and without quotes", "[trace]") {
  CHECK(integer("12 ") == 12);
  CHECK(integer("\"12\"") == 12);
  CHECK_FALSE(integer("0x12"));
  CHECK_FALSE(integer("99999999999999999999"));
}

TEST_CASE("a share that is not a finite number is missing", "[trace]") {
  CHECK(harness::trace::real("0.5") == 0.5F);
  CHECK(harness::trace::real("inf") == -1);
  CHECK(harness::trace::real("-3") == -1);
}

}  // namespace
