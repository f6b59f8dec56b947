#include "harness/pages/run_data.hpp"

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include <cmath>
#include <vector>

using namespace harness;
using compare::History;

namespace {

/// A row whose optimized form takes 1 ms in the first ten sessions and 1.2 ms in the ten behind them.
History::Series series_that_moves(const std::string& machine, const std::string& row) {
  History::Series series;
  series.machine = machine;
  series.row = row;
  for (int i = 0; i < 20; ++i) {
    const auto scatter = 1 + 0.001 * (i % 3);
    series.commits.push_back(fmt::format("c{}", i));
    series.started.push_back(fmt::format("2026-01-{:02}T00:00:00+00:00", i + 1));
    series.software.emplace_back("s");
    series.naive.push_back(std::log(2e-3 * scatter));
    series.optimized.push_back(std::log((i < 10 ? 1e-3 : 1.2e-3) * scatter));
    series.ratio.push_back(series.optimized.back() - series.naive.back());
  }
  return series;
}

}  // namespace

TEST_CASE("a row's history has its times, and says where and how far it moved", "[page]") {
  const auto data = pages::history_data(std::vector{series_that_moves("m", "sync/a")});
  const auto& row = data["rows"][0];
  CHECK(row["name"] == "sync/a");
  CHECK(row["unit"] == "s");
  CHECK(row["optimized"][0] == 0.001);
  CHECK(row["naive"][1] == 0.002002);
  REQUIRE(row["moves"].size() == 1);
  CHECK(row["moves"][0]["at"] == 10);
  CHECK(std::abs(row["moves"][0]["ratio"].get<double>() - 1.2) < 1e-3);
  CHECK(row["moves"][0]["both"] == false);
}

TEST_CASE("rows share sessions, and machines are numbers", "[page]") {
  const auto data = pages::history_data(
      std::vector{series_that_moves("m", "a"), series_that_moves("m", "b"), series_that_moves("n", "a")});
  CHECK(data["sessions"].size() == 40);
  CHECK(data["rows"][0]["at"] == data["rows"][1]["at"]);
  CHECK(data["sessions"][data["rows"][0]["at"][0].get<std::size_t>()]["machine"] !=
        data["sessions"][data["rows"][2]["at"][0].get<std::size_t>()]["machine"]);
}

TEST_CASE("a history without rows is an empty page, not an error", "[page]") {
  CHECK(pages::history_data(std::vector<History::Series>{})["rows"].empty());
}
