#include "prices/health.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

using namespace prices;

namespace {

using Lines = std::vector<std::string>;

const std::vector<Price> rows{
    {.name = "prices/copy/h2d/host:pinned/bytes:1GiB", .seconds = 1, .bytes_per_second = 54.5e9},
    {.name = "prices/launch/return", .seconds = 2.1e-6},
    {.name = "prices/product/host/fp32/n:2048", .seconds = 1, .flop_per_second = 150e9}};

}  // namespace

TEST_CASE("what a machine reaches stands beside what others reached", "[balance]") {
  const auto others = other_machines(
      "# a remark\n"
      "h200\tprices/copy/h2d/host:pinned/bytes:1GiB\t0.0193\t5.55e+10\t0\n"
      "h200\tprices/product/host/fp32/n:2048\t0.0131\t0\t1.31e+12\n"
      "epyc\tprices/product/host/fp32/n:2048\t0.0782\t0\t2.2e+11\n");
  REQUIRE(others.size() == 2);
  CHECK(beside(PriceList(rows), others).said ==
        Lines{"pinned copies h2d 54.5 GB/s (h200: 55.5 GB/s)",
              "its products fp32 150 GFLOP/s (h200: 1310 GFLOP/s, epyc: 220 GFLOP/s)"});
  CHECK(beside(PriceList({}), others).said.empty());
  CHECK(beside(PriceList(rows), {}).said.empty());
}

TEST_CASE("the machines of results/ have memory and products, and two an operator's call", "[balance]") {
  const auto others = other_machines(other_machines_tsv());
  REQUIRE(others.size() >= 2);
  int with_call = 0;
  for (const auto& other : others) {
    const PriceList list(other.prices);
    INFO(other.name);
    CHECK(list.rate_of_largest("prices/triad/host/") > 0);
    CHECK(list.best_flop("prices/product/host/fp32/") > 0);
    if (list.seconds("prices/dispatch/host/add")) ++with_call;
  }
  CHECK(with_call >= 2);
}
