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
  CHECK(beside(rows, others).said ==
        Lines{"pinned copies h2d 54.5 GB/s (h200: 55.5 GB/s)",
              "its products fp32 150 GFLOP/s (the CPU beside the H200: 1310 GFLOP/s, epyc: 220 GFLOP/s)"});
  CHECK(beside({}, others).said.empty());
  CHECK(beside(rows, {}).said.empty());
}

TEST_CASE("what a machine with as many threads exceeds by half is to be looked at", "[balance]") {
  const auto others = other_machines(
      "h200\tprices/triad/host/threads:16/bytes:256MiB\t1\t8.2e+10\t0\n"
      "epyc\tprices/triad/host/threads:2/bytes:256MiB\t1\t4.55e+10\t0\n"
      "epyc\tprices/dispatch/host/add\t3e-07\t0\t0\n");
  const auto here = [&](double rate, double call) {
    const std::vector<Price> prices{
        {.name = "prices/triad/host/threads:1/bytes:256MiB", .seconds = 1, .bytes_per_second = 10e9},
        {.name = "prices/triad/host/threads:2/bytes:256MiB", .seconds = 1, .bytes_per_second = rate},
        {.name = "prices/dispatch/host/add", .seconds = call}};
    return beside(prices, others).said;
  };
  CHECK(
      here(23.3e9, 6e-7) ==
      Lines{"memory of the host 23.3 GB/s (h200: 82 GB/s, epyc: 45.5 GB/s); 51 % of epyc, which has as many "
            "threads: see tuneproof doctor",
            "an operator's call on the host 600 ns (epyc: 300 ns); 2.00 times the time of epyc, which has as "
            "many "
            "threads: see tuneproof doctor"});
  CHECK(here(40e9, 3e-7) == Lines{"memory of the host 40 GB/s (h200: 82 GB/s, epyc: 45.5 GB/s)",
                                  "an operator's call on the host 300 ns (epyc: 300 ns)"});
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
