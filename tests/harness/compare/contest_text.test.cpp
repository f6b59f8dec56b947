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

TEST_CASE("A slowdown that a fresh session refutes says so", "[contest]") {
  auto row = slower();
  row.again->verdict = Verdict::no_effect;
  CHECK_THAT(contest_note(row), ContainsSubstring("a fresh session refutes it: +50.0 %"));
  CHECK(contest_word(row) == "not confirmed");
}

TEST_CASE("What an unstable machine could not confirm is not called refuted", "[contest]") {
  auto row = slower();
  row.again->verdict = Verdict::inconclusive;
  row.again->ratio_interval = Interval{1.4, 1.6};
  CHECK_THAT(contest_note(row), ContainsSubstring("what disturbed the machine could have made it: +50.0 %"));
  CHECK(contest_word(row) == "maybe slower");
}

TEST_CASE("A slowdown that was taken away is not called chance", "[contest]") {
  auto row = slower();
  row.regressed = false;
  row.again.reset();
  row.row.judged.ratio_interval = Interval{1.4, 1.6};
  CHECK_THAT(contest_note(row), ContainsSubstring("not beyond chance"));
  row.row.judged.verdict = Verdict::inconclusive;
  CHECK_THAT(contest_note(row), ContainsSubstring("what disturbed the machine could have made it"));
}

TEST_CASE("A row that only BASE has counts of does not pass a gate on counts", "[contest]") {
  auto report = about_memory();
  auto& row = report.outcome.rows.front();
  row.row.naive_seconds = row.row.optimized_seconds = 0;
  row.row.judged = {};
  row.instructions.reset();
  row.increases.clear();
  row.regressed = row.confirmed = row.leaning = false;
  row.vanished = {"instructions"};
  CHECK(contest_word(row) == "no longer counted");
  CHECK(conclusion_of(contest_ci(report)).code == 4);
  row.vanished.clear();
  CHECK(contest_word(row) == "cannot tell");
}

TEST_CASE("The times of a row agree with its change", "[contest]") {
  auto row = about_memory().outcome.rows.front();
  row.row.measured.statistic = Statistic::median;
  row.row.measured.figures = {};
  row.row.naive_seconds = 1e-3;
  row.row.optimized_seconds = 1.7e-3;  // its own median, over other rounds
  ContestReport report;
  report.outcome.rows = {row};
  CHECK_THAT(contest_text(report, {}), ContainsSubstring("1.00 ms  1.50 ms  +50.0 %"));
}

TEST_CASE("Nothing of a program's texts moves a cursor or turns a line around", "[contest]") {
  auto report = about_memory();
  const std::string odd = "a\x1b[2J\xc2\x9b\xe2\x80\xae";
  auto& row = report.outcome.rows.front();
  row.row.name = row.row.step = row.row.reason = odd;
  row.vanished = {odd};
  row.increases = {{odd, "naive", "calls", 1, 2}};
  report.missing = report.added = report.notes = {odd};
  report.base = report.head = {odd, odd, odd};
  clean(report);
  const auto ci = contest_ci(report);
  for (const auto& text : {contest_text(report, {}), junit_text(ci), markdown_text(ci), annotations_text(ci)})
    for (const auto* hidden : {"\x1b", "\xc2\x9b", "\xe2\x80\xae"}) CHECK(text.find(hidden) == text.npos);
}

TEST_CASE(
    "Rows that both programs skip for one reason are told in one paragraph, a row that HEAD lost by itself",
    "[contest]") {
  ContestReport report;
  for (const auto* name : {"sync/a/n:1/device:cuda", "sync/a/n:2/device:cuda", "sync/b/device:cuda"}) {
    ContestRow row;
    row.row.name = name;
    row.row.step = std::string(name).substr(0, 6);
    row.row.judged.verdict = Verdict::skipped;
    row.row.reason = "no CUDA device";
    report.outcome.rows.push_back(row);
  }
  report.outcome.rows.back().row.reason = "HEAD: no CUDA device";
  const auto text = contest_text(report, {});
  CHECK_THAT(text, ContainsSubstring("2 rows skipped: no CUDA device\n  sync/a 2\n"));
  CHECK_THAT(text, !ContainsSubstring("sync/a/n:1"));
  CHECK_THAT(text, ContainsSubstring("sync/b/device:cuda"));
}

}  // namespace
}  // namespace harness::compare
