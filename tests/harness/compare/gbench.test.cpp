#include "harness/compare/gbench.hpp"

#include "harness/core/setup.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include <string>

using namespace harness;
using namespace harness::compare;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

/// `count` repetitions of one benchmark and its mean, as Google Benchmark 1.8 writes them.
Json benchmark(const std::string& name, double time, int count, const char* unit = "us") {
  Json rows = Json::array();
  for (int i = 0; i < count; ++i)
    rows.push_back({{"name", name},
                    {"run_name", name},
                    {"run_type", "iteration"},
                    {"repetitions", count},
                    {"repetition_index", i},
                    {"real_time", time * (1 + 0.001 * (i % 3 - 1))},
                    {"time_unit", unit}});
  rows.push_back({{"name", name + "_mean"},
                  {"run_name", name},
                  {"run_type", "aggregate"},
                  {"aggregate_name", "mean"},
                  {"real_time", time},
                  {"time_unit", unit}});
  return rows;
}

Comparison compared(const Json& base, const Json& current) {
  const auto file = [](const Json& rows) {
    return Json{{"context", {{"host_name", "here"}, {"library_build_type", "release"}}},
                {"benchmarks", rows}};
  };
  const auto before = file(base), after = file(current);
  return compare_gbench({before, "old.json"}, {after, "new.json"}, {.delta = 0.03});
}

}  // namespace

TEST_CASE("a benchmark that got slower is found whatever the units of the two files", "[gbench]") {
  const auto row =
      compared(benchmark("BM_copy/8", 100, 10), benchmark("BM_copy/8", 0.12, 10, "ms")).rows.at(0);
  CHECK(row.verdict == Verdict::hurts);
  CHECK(row.optimized->ratio == Catch::Approx(1.2));
  CHECK(row.seconds == Catch::Approx(120e-6));
  CHECK(row.step == "BM_copy");
}

TEST_CASE("equal benchmarks are the same; aggregates are not repetitions", "[gbench]") {
  CHECK(compared(benchmark("a", 5, 10), benchmark("a", 5, 10)).rows.at(0).verdict == Verdict::no_effect);
}

TEST_CASE("too few repetitions cannot tell, and the row says how many it takes", "[gbench]") {
  const auto row = compared(benchmark("a", 5, 3), benchmark("a", 9, 20)).rows.at(0);
  CHECK(row.verdict == Verdict::inconclusive);
  CHECK(row.note == "an interval needs 9 repetitions in each file, but these have 3 and 20");
}

TEST_CASE("benchmarks in one file only are listed", "[gbench]") {
  const auto comparison = compared(benchmark("old", 5, 9), benchmark("new", 5, 9));
  CHECK(comparison.missing == std::vector<std::string>{"old"});
  CHECK(comparison.added == std::vector<std::string>{"new"});
}

TEST_CASE("a benchmark that reported an error is invalid", "[gbench]") {
  const Json failed = {
      {{"name", "a"}, {"run_name", "a"}, {"error_occurred", true}, {"error_message", "no file"}}};
  const auto row = compared(benchmark("a", 5, 9), failed).rows.at(0);
  CHECK(row.verdict == Verdict::invalid);
  CHECK(row.note == "failed in NEW: no file");
}

TEST_CASE("a file with aggregates only is refused with the option that caused it", "[gbench]") {
  const Json aggregates = {benchmark("a", 5, 1).back()};
  CHECK_THROWS_MATCHES(compared(aggregates, aggregates), BadInput,
                       MessageMatches(ContainsSubstring("--benchmark_report_aggregates_only")));
}

TEST_CASE("the reader refuses a missing time, a time of 0 and an unknown unit", "[gbench]") {
  auto rows = benchmark("a", 5, 9);
  rows[3]["real_time"] = nullptr;
  CHECK_THROWS_AS(compared(rows, rows), BadInput);
  rows[3]["real_time"] = 0;
  CHECK_THROWS_AS(compared(rows, rows), BadInput);
  rows[3]["real_time"] = 1;
  rows[3]["time_unit"] = "h";
  CHECK_THROWS_MATCHES(compared(rows, rows), BadInput,
                       MessageMatches(ContainsSubstring("'h' is not a unit of time")));
  const Json nothing = Json::object();
  CHECK_THROWS_AS(compare_gbench({nothing, "a"}, {nothing, "b"}, {}), BadInput);
}
