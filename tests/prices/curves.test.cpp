#include "prices/curves.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

using Catch::Matchers::WithinRel;
using harness::Json;

namespace {

Json row(const std::string& name, double microseconds) {
  return {{"name", name + "/real_time"},
          {"run_name", name + "/real_time"},
          {"run_type", "iteration"},
          {"real_time", microseconds},
          {"time_unit", "us"}};
}

/// t = 10 us + n / (1 GB/s).
Json file() {
  Json json{{"context", {{"date", "2026-01-01"}, {"num_cpus", 2}}}, {"benchmarks", Json::array()}};
  for (const auto& [size, bytes] : {std::pair{"1KiB", 1024.0}, {"64KiB", 65536.0}, {"1MiB", 1048576.0}})
    json["benchmarks"].push_back(row(std::string("prices/copy/bytes:") + size, 10 + bytes / 1000));
  return json;
}

Json curves(const Json& json) { return prices::curves_data(harness::Field(json, "p.json")); }

}  // namespace

TEST_CASE("rows of one name and several sizes are a curve with its line", "[prices]") {
  const auto data = curves(file());
  REQUIRE(data["curves"].size() == 1);
  const auto& curve = data["curves"][0];
  CHECK(curve["rows"] == "prices/copy/bytes:");
  CHECK(curve["points"].size() == 3);
  CHECK_THAT(curve["line"]["start"].get<double>(), WithinRel(1e-5, 1e-3));
  CHECK_THAT(curve["line"]["per_byte"].get<double>(), WithinRel(1e-9, 1e-3));
  CHECK(curve["batching_up_to"].is_number());
}

TEST_CASE("times on no line have none", "[prices]") {
  auto json = file();
  json["benchmarks"][1]["real_time"] = 500;
  CHECK(curves(json)["curves"][0]["line"].is_null());
}

TEST_CASE("of repetitions the median counts, of aggregates and errors nothing", "[prices]") {
  auto json = file();
  for (const double time : {3.0, 100.0}) json["benchmarks"].push_back(row("prices/thread/start", time));
  json["benchmarks"].push_back(row("prices/thread/start", 5));
  json["benchmarks"].push_back(row("prices/thread/start", 1e6));
  json["benchmarks"].back()["run_type"] = "aggregate";
  json["benchmarks"].push_back(row("prices/thread/wake", 1));
  json["benchmarks"].back()["error_occurred"] = true;
  const auto data = curves(json);
  CHECK(data["prices"].size() == 4);
  CHECK_THAT(data["prices"][3]["seconds"].get<double>(), WithinRel(5e-6));
}

TEST_CASE("what follows from the prices is told with the rows that it rests on", "[prices]") {
  auto json = file();
  for (auto& entry : json["benchmarks"])
    for (const auto* name : {"name", "run_name"}) {
      auto text = entry[name].get<std::string>();
      entry[name] = text.replace(text.find("copy"), 4, "memcpy");
    }
  const auto balance = curves(json)["balance"];
  const auto told = std::ranges::any_of(
      balance, [](const Json& line) { return line["about"] == "memcpy" && !line["said"].empty(); });
  CHECK(told);
}

TEST_CASE("prices of a busy machine say so first, and those without a share as before", "[prices]") {
  auto json = file();
  CHECK(curves(json)["busy"] == "");
  json["context"]["other_cpu_share"] = "0.02";
  CHECK(curves(json)["busy"] == "");
  json["context"]["other_cpu_share"] = "0.62";
  CHECK(curves(json)["busy"] ==
        "Other programs took 62 % of the CPUs meanwhile: do not trust these prices. Measure again when the "
        "machine "
        "is quiet.");
  CHECK(curves(json)["balance"].empty());
}

TEST_CASE("a run that quotes prices of a busy machine says so first", "[prices]") {
  auto json = file();
  json["context"]["fingerprint"] = "here";
  json["context"]["other_cpu_share"] = "0.62";
  const auto path =
      std::filesystem::temp_directory_path() / ("busy-prices-" + std::to_string(getpid()) + ".json");
  std::ofstream(path) << json;
  const auto lines = prices::machine_lines(path, "here");
  const auto elsewhere = prices::machine_lines(path, "there");
  std::filesystem::remove(path);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0] ==
        "Other programs took 62 % of the CPUs meanwhile: do not trust these prices. Measure again when the "
        "machine "
        "is quiet");
  CHECK(elsewhere.empty());
}

TEST_CASE("only files of our prices are taken for such", "[prices]") {
  CHECK(prices::is_price_file(file()));
  CHECK_FALSE(prices::is_price_file({{"benchmarks", {{{"name", "BM_sort/8"}}}}}));
  CHECK_FALSE(prices::is_price_file({{"benchmarks", Json::array()}}));
  CHECK_FALSE(prices::is_price_file({{"tuneproof", 1}, {"benchmarks", {{{"name", "prices/a"}}}}}));
  CHECK_FALSE(prices::is_price_file(Json::array()));
}
