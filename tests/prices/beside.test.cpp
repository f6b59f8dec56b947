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
    {.name = "prices/triad/host/threads:2/bytes:256MiB", .seconds = 1, .bytes_per_second = 40e9},
    {.name = "prices/product/host/fp32/n:2048", .seconds = 1, .flop_per_second = 150e9}};

}  // namespace

TEST_CASE("what a machine reaches stands beside what others reached", "[balance]") {
  const auto others = other_machines(
      "# a remark\n"
      "h200\tNVIDIA H200\tprices/copy/h2d/host:pinned/bytes:1GiB\t0.0193\t5.55e+10\t0\n"
      "h200\tNVIDIA H200\tprices/product/host/fp32/n:2048\t0.0131\t0\t1.31e+12\n"
      "epyc\t\tprices/product/host/fp32/n:2048\t0.0782\t0\t2.2e+11\n");
  REQUIRE(others.size() == 2);
  CHECK(
      beside(rows, others).said ==
      Lines{"pinned copies h2d 54.5 GB/s (h200: 55.5 GB/s)",
            "FP32 products on the CPU 150 GFLOP/s (the CPU beside the H200: 1310 GFLOP/s, epyc: 220 GFLOP/s)",
            "no data sheet of this GPU is known to judge it by",
            "results/ has no CPU that ran 2 threads to judge this one by"});
  CHECK(beside({}, others).said.empty());
  CHECK(beside(rows, {}).said.empty());
}

TEST_CASE("a CPU is judged by one with as many threads", "[balance]") {
  const auto others = other_machines(
      "h200\tNVIDIA H200\tprices/triad/host/threads:16/bytes:256MiB\t1\t8.2e+10\t0\n"
      "epyc\t\tprices/triad/host/threads:2/bytes:256MiB\t1\t4.55e+10\t0\n"
      "epyc\t\tprices/dispatch/host/add\t3e-07\t0\t0\n");
  const auto here = [&](double rate, double call) {
    const std::vector<Price> prices{
        {.name = "prices/triad/host/threads:1/bytes:256MiB", .seconds = 1, .bytes_per_second = 10e9},
        {.name = "prices/triad/host/threads:2/bytes:256MiB", .seconds = 1, .bytes_per_second = rate},
        {.name = "prices/dispatch/host/add", .seconds = call}};
    return beside(prices, others).said;
  };
  CHECK(
      here(23.3e9, 6e-7) ==
      Lines{
          "memory of the host 23.3 GB/s: slow (epyc: 45.5 GB/s)",
          "an operator's call on the host 600 ns: slow (epyc: 300 ns)",
          "good means 95 % of the best of them or more, slow below 80 % of the worst, see tuneproof doctor"});
  CHECK(here(40e9, 3e-7) ==
        Lines{"memory of the host 40 GB/s: usual (epyc: 45.5 GB/s)",
              "an operator's call on the host 300 ns: good (epyc: 300 ns)",
              "good means 95 % of the best of them or more, slow below 80 % of the worst"});
}

TEST_CASE("a GPU is judged by its share of its data sheet", "[balance]") {
  const auto others =
      other_machines("h200\tNVIDIA H200\tprices/copy/h2d/host:pinned/bytes:1GiB\t0.0193\t5.55e+10\t0\n");
  const harness::DeviceModel sheet{.name = "a PCIe 4 one", .link_gb_s = 31.5};
  const auto here = [&](double rate) {
    const std::vector<Price> prices{
        {.name = "prices/copy/h2d/host:pinned/bytes:1GiB", .seconds = 1, .bytes_per_second = rate}};
    return beside(prices, others, sheet).said.front();
  };
  CHECK(here(27e9) == "pinned copies h2d 27 GB/s, 86 % of the data sheet: good (h200: 88 %)");
  CHECK(here(13e9) == "pinned copies h2d 13 GB/s, 41 % of the data sheet: slow (h200: 88 %)");
}

TEST_CASE("products of each type stand side by side, and a type that is far off is named", "[balance]") {
  const auto said = [](double fp16, double bf16) {
    const std::vector<Price> prices{
        {.name = "prices/product/host/fp32/n:512", .seconds = 1, .flop_per_second = 212e9},
        {.name = "prices/product/host/fp16/n:512", .seconds = 1, .flop_per_second = fp16},
        {.name = "prices/product/host/bf16/n:512", .seconds = 1, .flop_per_second = bf16}};
    return products_by_type(PriceList(prices)).said;
  };
  CHECK(
      said(2.59e9, 738e9) ==
      Lines{"products on the CPU: FP32 212 GFLOP/s, FP16 2.59 GFLOP/s, BF16 738 GFLOP/s: FP16 is 81.9 times "
            "slower than FP32: use BF16"});
  CHECK(said(2.59e9, 50e9) ==
        Lines{"products on the CPU: FP32 212 GFLOP/s, FP16 2.59 GFLOP/s, BF16 50 GFLOP/s: FP16 is 81.9 times "
              "slower than FP32: use FP32, BF16 is 4.24 times slower than FP32: use "
              "FP32"});
  CHECK(said(230e9, 738e9) ==
        Lines{"products on the CPU: FP32 212 GFLOP/s, FP16 230 GFLOP/s, BF16 738 GFLOP/s"});
  CHECK(products_by_type(PriceList({})).said.empty());
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
