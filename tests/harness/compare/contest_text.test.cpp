#include "harness/compare/contest_text.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace harness::compare {
namespace {

using Catch::Matchers::ContainsSubstring;

/// 8 MiB in BASE, 12 MiB in HEAD.
ContestReport about_memory() {
  ContestRow row;
  row.row.name = row.row.step = "autograd/accumulation";
  row.row.naive_seconds = 8;
  row.row.optimized_seconds = 12;
  row.row.measured.statistic = Statistic::figure;
  row.row.measured.figures = {{"peak memory", "MiB", 8, 12}};
  row.row.measured.samples = {{.form = Form::naive, .seconds = 8}};
  row.row.judged.ratio = 1.5;
  ContestReport report;
  report.outcome.rows = {row};
  return report;
}

TEST_CASE("A comparison of programs prints memory as memory", "[contest]") {
  const auto text = contest_text(about_memory(), {});
  CHECK_THAT(text, ContainsSubstring("8 MiB"));
  CHECK_THAT(text, ContainsSubstring("12 MiB"));
}

TEST_CASE("In the file of a comparison memory is not a time", "[contest]") {
  const auto json = contest_json(about_memory());
  const auto& row = json["rows"][0];
  CHECK(row["metric"] == "first_figure");
  CHECK(row["base_ns"].is_null());
  CHECK(row["head_ns"].is_null());
  CHECK(row["round_base_ns"].empty());
  CHECK(row["base_value"] == 8);
  CHECK(row["head_value"] == 12);
  CHECK(row["value_unit"] == "MiB");
}

/// Slower by half, and measured again.
ContestRow slower() {
  auto row = about_memory().outcome.rows.front();
  row.row.judged.verdict = Verdict::hurts;
  row.regressed = true;
  row.again = row.row.judged;
  return row;
}

TEST_CASE("A slowdown that a fresh session does not show says so", "[contest]") {
  CHECK_THAT(contest_note(slower()), ContainsSubstring("a fresh session does not show it: +50.0 %"));
}

TEST_CASE("What an unstable machine did not confirm is not called absent", "[contest]") {
  auto row = slower();
  row.again->flags = {"unstable machine"};
  CHECK_THAT(contest_note(row), ContainsSubstring("on an unstable machine confirms nothing: +50.0 %"));
}

TEST_CASE("A slowdown on an unstable machine is not called chance", "[contest]") {
  auto row = slower();
  row.regressed = false;
  row.row.judged.flags = {"unstable machine"};
  CHECK_THAT(contest_note(row), ContainsSubstring("nothing fails on an unstable machine"));
  row.row.judged.flags = {};
  CHECK_THAT(contest_note(row), ContainsSubstring("not beyond chance"));
}

}  // namespace
}  // namespace harness::compare
