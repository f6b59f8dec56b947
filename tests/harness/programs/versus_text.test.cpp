#include "harness/programs/versus_text.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace harness::programs {
namespace {

using Catch::Matchers::ContainsSubstring;

const Plan plan{.candidates = {{.name = "a", .command = "a"},
                               {.name = "b", .command = "b"},
                               {.name = "c", .command = "c"}},
                .gates = true};

results::Row row_of(const std::string& name, std::vector<double> log_ratios) {
  results::Row row;
  row.step = "versus/wall";
  row.name = "versus/wall/command:" + name;
  row.delta = 0.05;
  row.rounds = static_cast<int>(log_ratios.size());
  row.judged = judge(log_ratios, {.looks = {10}, .delta = row.delta});
  row.measured.log_ratios = std::move(log_ratios);
  row.naive_seconds = 0.1;
  row.optimized_seconds = 0.1 * row.judged.ratio;
  return row;
}

results::Results session_of(std::vector<results::Row> rows) {
  results::Results results;
  results.session.looks = {10};
  results.rows = std::move(rows);
  return results;
}

/// It is as fast, for certain.
const std::vector<double> equal(10, 0.0);

TEST_CASE("a row that looks slower is not passed because another was decided", "[versus]") {
  const auto results = session_of(
      {row_of("b", equal), row_of("c", {-0.04, 0.2, 0.3, 0.3, 0.32, 0.33, 0.33, 0.35, 0.5, 0.59})});
  const auto conclusion = compare::conclusion_of(versus_ci(results, plan, false));
  CHECK(conclusion.code == 4);
  CHECK(conclusion.line == "NOT DECIDED: 1 row maybe slower");
  CHECK_THAT(versus_text(results, plan, {}), ContainsSubstring("maybe slower"));
}

TEST_CASE("a margin above 100 % reads as it was typed", "[versus]") {
  auto row = row_of("b", equal);
  row.delta = 1.5;
  row.judged = judge(equal, {.looks = {10}, .delta = row.delta});
  const auto text = versus_text(session_of({row}), plan, {});
  CHECK_THAT(text, ContainsSubstring("within 150 %") && ContainsSubstring("by more than 150 %"));
}

TEST_CASE("nor is one that the budget left with too few rounds", "[versus]") {
  auto results = session_of({row_of("b", equal), row_of("c", {0.2, 0.36, 1.5})});
  results.rows[1].reason = "the budget of 5s ran out";
  CHECK(compare::conclusion_of(versus_ci(results, plan, false)).line == "NOT DECIDED: 1 row short of rounds");
  CHECK_THAT(versus_text(results, plan, {}), ContainsSubstring("give more time with --budget"));
}

TEST_CASE("a row that a signal left open was stopped, and no budget would have helped it", "[versus]") {
  const auto text = versus_text(session_of({row_of("b", equal), row_of("c", {0.2, 0.36, 1.5})}), plan, {});
  CHECK_THAT(text, ContainsSubstring("stopped early") && !ContainsSubstring("short of rounds") &&
                       !ContainsSubstring("--budget"));
}

TEST_CASE("on 40 columns values, changes and verdicts stand below the commands, and no line is wider",
          "[versus]") {
  auto narrow = plan;
  narrow.candidates[1].name = std::string(30, 'b') + std::string(30, 'B');
  const auto results = session_of({row_of("b", equal), row_of("c", std::vector<double>(10, 0.3))});
  const auto text = versus_text(results, narrow, {.columns = 40});
  CHECK_THAT(text, ContainsSubstring("  a\n    100 ms\n  bbb"));
  CHECK_THAT(text, ContainsSubstring("\n    100 ms  0.0 % [0.0, 0.0]  within 5 %\n"));
  CHECK_THAT(text, ContainsSubstring("  c\n    135 ms  +35.0 % [+35.0, +35.0]\n    slower\n"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 40);
}

TEST_CASE("a noisy row that leans nowhere passes beside a decided one", "[versus]") {
  const auto results =
      session_of({row_of("b", equal), row_of("c", {-0.5, -0.4, -0.3, -0.2, 0.1, 0.2, 0.3, 0.3, 0.4, 0.5})});
  const auto conclusion = compare::conclusion_of(versus_ci(results, plan, false));
  CHECK(conclusion.code == 0);
  CHECK(conclusion.line == "PASSED: 2 rows compared, 1 undecided");
  CHECK(compare::conclusion_of(versus_ci(results, plan, true)).code == 4);
}

}  // namespace
}  // namespace harness::programs
