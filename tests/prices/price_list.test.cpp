#include "prices/price_list.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace prices;

namespace {

const std::vector<Price> rows{
    {.name = "prices/memcpy/bytes:16KiB", .seconds = 0},
    {.name = "prices/memcpy/bytes:4KiB", .seconds = 4e-7, .bytes_per_second = 10e9},
    {.name = "prices/memcpy/bytes:1KiB", .seconds = 1e-7, .bytes_per_second = 9e9},
    {.name = "prices/triad/host/threads:1/bytes:1MiB", .seconds = 1, .bytes_per_second = 90e9},
    {.name = "prices/triad/host/threads:1/bytes:256MiB", .seconds = 1, .bytes_per_second = 12e9},
    {.name = "prices/triad/host/threads:2/bytes:256MiB", .seconds = 1, .bytes_per_second = 18e9},
    {.name = "prices/graph/nodes:16", .seconds = 32e-6},
    {.name = "prices/graph/nodes:1024", .seconds = 1024e-6},
    {.name = "prices/graph/nodes:256", .seconds = 300e-6},
};

}  // namespace

TEST_CASE("times come by size", "[prices]") {
  const auto times = PriceList(rows).times("prices/memcpy/bytes:");
  REQUIRE(times.size() == 2);
  CHECK(times[0].bytes == 1024);
  CHECK(times[1].seconds == 4e-7);
  CHECK(PriceList(rows).times("prices/triad/host/").empty());
}

TEST_CASE("memory is as fast as at the largest size, with the best number of threads", "[prices]") {
  CHECK(PriceList(rows).rate_of_largest("prices/triad/host/") == 18e9);
  CHECK(PriceList(rows).rate_of_largest("prices/triad/device/") == 0);
}

TEST_CASE("what little there is moves at the best rate that a cache has", "[prices]") {
  CHECK(PriceList(rows).rate_in_cache("prices/triad/host/") == 90e9);
  CHECK(PriceList(rows).rate_in_cache("prices/triad/device/") == 0);
}

TEST_CASE("a node of a graph costs its share of the longest graph", "[prices]") {
  CHECK(*PriceList(rows).per_node("prices/graph/nodes:") == 1e-6);
  CHECK_FALSE(PriceList(rows).per_node("prices/launch/"));
}

TEST_CASE("cheaper means at that size and at all larger ones", "[prices]") {
  const std::vector<Price> two_ways{
      {.name = "a/bytes:1KiB", .seconds = 1},  {.name = "a/bytes:4KiB", .seconds = 3},
      {.name = "a/bytes:16KiB", .seconds = 4}, {.name = "a/bytes:64KiB", .seconds = 5},
      {.name = "b/bytes:1KiB", .seconds = 2},  {.name = "b/bytes:4KiB", .seconds = 2},
      {.name = "b/bytes:16KiB", .seconds = 9}, {.name = "b/bytes:64KiB", .seconds = 9},
  };
  const PriceList list(two_ways);
  CHECK(list.first_cheaper("a/bytes:", "b/bytes:").from == 16384);
  CHECK_FALSE(list.first_cheaper("b/bytes:", "a/bytes:").from);
  CHECK(list.first_cheaper("b/bytes:", "a/bytes:").compared);
  CHECK_FALSE(list.first_cheaper("b/bytes:", "c/bytes:").compared);
}
