#include "prices/health.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <utility>
#include <vector>

using namespace prices;

namespace {

using Lines = std::vector<std::string>;

/// Copies at these rates, in GB/s.
std::vector<Price> copies(const std::string& way, const std::vector<std::pair<const char*, double>>& rates) {
  std::vector<Price> rows;
  double bytes = 1024.0 * 1024;
  for (const auto& [size, rate] : rates) {
    rows.push_back({.name = "prices/copy/" + way + "/bytes:" + size, .seconds = bytes / (rate * 1e9)});
    bytes *= 4;
  }
  return rows;
}

const harness::DeviceModel h200{.name = "H200 (SXM)",
                                .bandwidth_gb_s = 4800,
                                .fp32_tflops = 67,
                                .tf32_tflops = 494.5,
                                .fp16_tflops = 989.5,
                                .bf16_tflops = 989.5,
                                .source = "its data sheet"};

}  // namespace

TEST_CASE("prices say what share of the GPU's data sheet they reach", "[balance]") {
  const std::vector<Price> rows{
      {.name = "prices/triad/device/bytes:512MiB", .seconds = 1, .bytes_per_second = 4.08e12},
      {.name = "prices/product/device/fp32/n:4096", .seconds = 1, .flop_per_second = 51.1e12}};
  CHECK(of_data_sheet(PriceList(rows), h200).said == Lines{"memory 4080 GB/s of 4800 GB/s: 85 %",
                                                           "fp32 51100 GFLOP/s of 67000 GFLOP/s: 76 %",
                                                           "sheet: H200 (SXM)"});
}

TEST_CASE("pinned copies are held against the link of the sheet's generation", "[balance]") {
  const std::vector<Price> rows{
      {.name = "prices/copy/h2d/host:pinned/bytes:1GiB", .seconds = 1, .bytes_per_second = 54.5e9}};
  CHECK(of_data_sheet(PriceList(rows), harness::device_model({.name = "NVIDIA H200"})).said ==
        Lines{"pinned copies h2d 54.5 GB/s of 63 GB/s: 87 %", "sheet: H200 (SXM)"});
}

TEST_CASE("without a sheet no share is told, and without prices of a device nothing", "[balance]") {
  const std::vector<Price> rows{
      {.name = "prices/triad/device/bytes:512MiB", .seconds = 1, .bytes_per_second = 4.08e12}};
  CHECK(of_data_sheet(PriceList(rows), std::nullopt).said == Lines{"no sheet of this GPU is known"});
  CHECK(of_data_sheet(PriceList({}), h200).said.empty());
}

TEST_CASE("a copy that gets slower from a size on is named with both rates", "[balance]") {
  auto rows = copies(
      "h2d/host:pageable",
      {{"1MiB", 10.2}, {"4MiB", 10.3}, {"16MiB", 11.2}, {"64MiB", 5.6}, {"256MiB", 5.9}, {"1GiB", 6.3}});
  const auto pinned =
      copies("h2d/host:pinned", {{"1MiB", 46.6}, {"4MiB", 52.7}, {"16MiB", 54.4}, {"64MiB", 54.1}});
  rows.insert(rows.end(), pinned.begin(), pinned.end());
  CHECK(cliffs(rows).said ==
        Lines{"copy/h2d/host:pageable: 11.2 GB/s up to 16.0 MiB, 5.6 GB/s to 6.3 GB/s from 64.0 MiB"});
}

TEST_CASE("a dip that ends is no cliff, and where there is none the balance says so", "[balance]") {
  const auto rows =
      copies("d2h/host:pageable", {{"1MiB", 9.0}, {"4MiB", 12.0}, {"16MiB", 6.0}, {"64MiB", 12.5}});
  CHECK(cliffs(rows).said == Lines{"none"});
  CHECK(cliffs({}).said.empty());
}
