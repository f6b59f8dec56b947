#include "prices/price_list.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

using namespace prices;
using Catch::Matchers::WithinRel;

TEST_CASE("in an all-reduce each rank sends its parts once to be added, and the sums once", "[collective]") {
  // Of two ranks each sends half, and half of the sums; of eight seven eighths twice.
  CHECK_THAT(bus_factor(Collective::all_reduce, 2), WithinRel(1.0));
  CHECK_THAT(bus_factor(Collective::all_reduce, 4), WithinRel(1.5));
  CHECK_THAT(bus_factor(Collective::all_reduce, 8), WithinRel(1.75));
}

TEST_CASE("all-gather and reduce-scatter are half of that each", "[collective]") {
  for (const auto what : {Collective::all_gather, Collective::reduce_scatter}) {
    CHECK_THAT(bus_factor(what, 2), WithinRel(0.5));
    CHECK_THAT(bus_factor(what, 4), WithinRel(0.75));
  }
}

TEST_CASE("a broadcast sends all of it whatever the number of ranks, a barrier nothing", "[collective]") {
  CHECK_THAT(bus_factor(Collective::broadcast, 2), WithinRel(1.0));
  CHECK_THAT(bus_factor(Collective::broadcast, 64), WithinRel(1.0));
  CHECK(bus_factor(Collective::barrier, 4) == 0);
}

TEST_CASE("one rank has nobody to send to", "[collective]") {
  CHECK(bus_factor(Collective::all_reduce, 1) == 0);
  CHECK(bus_factor(Collective::all_gather, 1) == 0);
}
