#include "harness/compare/gbench.hpp"

#include "harness/compare/comparison_text.hpp"
#include "harness/core/setup.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

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

Json file(const Json& rows, const char* host = "here") {
  return Json{{"context", {{"host_name", host}, {"num_cpus", 2}, {"library_build_type", "release"}}},
              {"benchmarks", rows}};
}

Comparison compared_files(const Json& before, const Json& after, const CompareRules& rules = {}) {
  return compare_gbench({before, "old.json"}, {after, "new.json"}, {.delta = 0.03}, rules);
}

Comparison compared(const Json& base, const Json& current) {
  return compared_files(file(base), file(current));
}

/// The same benchmark with one more number in each of its repetitions.
Json with(Json rows, const char* name, double value) {
  for (auto& row : rows) row[name] = value;
  return rows;
}

int code_of(const Comparison& comparison, const Demands& demands = {}) {
  return conclusion_of(comparison_report(comparison, demands)).code;
}

}  // namespace

TEST_CASE("prices of a busy machine are compared with a warning that names the file", "[gbench]") {
  auto busy = file(benchmark("prices/a", 10, 12));
  busy["context"]["other_cpu_share"] = "0.62";
  const auto warnings = compared_files(file(benchmark("prices/a", 10, 12)), busy).warnings;
  CHECK(warnings == std::vector<std::string>{
                        "new.json: do not trust it: other programs took 62 % of the CPUs meanwhile"});
}

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

TEST_CASE("a benchmark that reported an error is failed", "[gbench]") {
  const Json failed = {
      {{"name", "a"}, {"run_name", "a"}, {"error_occurred", true}, {"error_message", "no file"}}};
  const auto row = compared(benchmark("a", 5, 9), failed).rows.at(0);
  CHECK(row.verdict == Verdict::failed);
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

TEST_CASE("a counter, CPU time and a rate that changed are shown and advise", "[gbench]") {
  const auto base = benchmark("a", 5, 10);
  const auto compared_with = [&](const char* name, double before, double after) {
    return compared(with(base, name, before), with(base, name, after));
  };
  const auto allocs = compared_with("allocs", 3, 9);
  CHECK(figure_text(allocs.rows[0].figures.at(0)) == "allocs: 3 -> 9, +200 %");
  CHECK(compared_word(allocs.rows[0]) == "with other counters");
  CHECK(code_of(allocs) == 0);
  CHECK(code_of(allocs, {.strict = true}) == 2);
  const auto cpu = compared_with("cpu_time", 20, 40);
  CHECK(cpu.rows[0].verdict == Verdict::no_effect);
  CHECK(figure_text(cpu.rows[0].figures.at(0)) == "CPU time: 20.0 us -> 40.0 us, +100 %");
  CHECK(compared_word(cpu.rows[0]) == "slower by CPU time");
  CHECK(compared_with("bytes_per_second", 1e9, 5e8).rows[0].figures.at(0).worse);
  CHECK_FALSE(compared_with("bytes_per_second", 5e8, 1e9).rows[0].figures.at(0).worse);
  CHECK_FALSE(compared_with("cpu_time", 40, 20).rows[0].figures.at(0).worse);
  CHECK_FALSE(compared_with("allocs", 3, 3).rows[0].figures.at(0).worse);
  CHECK(compared_with("errors", 0, 2).rows[0].figures.at(0).worse);
}

TEST_CASE("memory that grew by more than 1 % fails", "[gbench]") {
  const auto base = benchmark("a", 5, 10);
  const auto grown = compared(with(base, "max_bytes_used", 1000), with(base, "max_bytes_used", 1100));
  CHECK(increase_text(grown.rows[0].increases.at(0)) == "max_bytes_used: 1,000 -> 1,100 (+10.0 %)");
  CHECK(code_of(grown) == 2);
  CHECK(code_of(compared(with(base, "max_bytes_used", 1000), with(base, "max_bytes_used", 1009))) == 0);
}

TEST_CASE("two families of one name are compared each with its like", "[gbench]") {
  const auto both = [](double first, double second) {
    auto rows = with(benchmark("a", first, 10), "family_index", 0);
    for (auto& row : with(benchmark("a", second, 10), "family_index", 1)) rows.push_back(row);
    return rows;
  };
  const auto comparison = compared(both(20, 40), both(20, 60));
  REQUIRE(comparison.rows.size() == 2);
  CHECK(comparison.rows[0].verdict == Verdict::no_effect);
  CHECK(comparison.rows[1].name == "a (no. 2 of this name)");
  CHECK(comparison.rows[1].optimized->ratio == Catch::Approx(1.5));
}

TEST_CASE("another host is noted, and another kind of machine is refused", "[gbench]") {
  const auto base = file(benchmark("a", 5, 10)), there = file(benchmark("a", 9, 10), "there");
  const auto noted = compared_files(base, there);
  CHECK(noted.rows.at(0).verdict == Verdict::hurts);
  CHECK(noted.warnings ==
        std::vector<std::string>{"another host: here -> there; even machines of one class differ in speed"});
  auto larger = there;
  larger["context"]["num_cpus"] = 64;
  const auto comparison = compared_files(base, larger);
  CHECK(refused(comparison, {}));
  CHECK(comparison.rows.empty());
  CHECK_THAT(refusal_text(comparison, {}), ContainsSubstring("context.num_cpus"));
  const auto allowed = compared_files(base, larger, {.allow_mismatch = true});
  CHECK(allowed.rows.at(0).verdict == Verdict::inconclusive);
  CHECK(code_of(allowed) == 0);
}

TEST_CASE("no common name, or no benchmark at all, is nothing compared", "[gbench]") {
  CHECK(code_of(compared(benchmark("old", 5, 9), benchmark("new", 5, 9)), {.allow_missing = true}) == 4);
  CHECK(code_of(compared(Json::array(), Json::array())) == 4);
  CHECK(code_of(compared(benchmark("a", 5, 3), benchmark("a", 5, 3))) == 4);
}

TEST_CASE("the words are those of benchmarks", "[gbench]") {
  const auto text = comparison_text(compared(benchmark("a", 5, 10), benchmark("a", 5, 10)), {});
  CHECK_THAT(text, ContainsSubstring("BENCHMARK"));
  CHECK_THAT(text, ContainsSubstring("within 3 %"));
  CHECK_THAT(text, !ContainsSubstring("SIDE OF"));
}
