#include "harness/run/table_row.hpp"

#include "tests/golden.hpp"
#include "tests/harness/run/rows.hpp"

#include "harness/core/judged_figure.hpp"
#include "harness/core/same_answer.hpp"
#include "harness/run/closing_lines.hpp"
#include "harness/run/row_view.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <sstream>

using namespace harness;
using namespace harness::results;
using namespace harness::run;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

/// All that `run` prints, as it prints it.
std::string whole_report(const Style& style) {
  const auto rows = example::rows();
  return results_table(rows, style) + summary(rows, style);
}

std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
  return widest;
}

Row with(Verdict verdict, Outcome expected) {
  auto row = example::row("a/b", "");
  row.judged.verdict = verdict;
  row.expected = expected;
  return row;
}

}  // namespace

TEST_CASE("the report at 100 columns is the one that was reviewed", "[report][golden]") {
  const auto text = whole_report({});
  CHECK(text == tests::golden("report.txt", text));
}

TEST_CASE("the report in colour is the one that was reviewed", "[report][golden]") {
  const auto text = whole_report({.colour = true});
  CHECK(text == tests::golden("report_colour.txt", text));
}

TEST_CASE("no line of the report is wider than the terminal", "[report]") {
  CHECK(widest_line(whole_report({})) <= 100);
  CHECK(widest_line(whole_report({.columns = 140})) <= 140);
}

TEST_CASE("the report fits 80 columns too", "[report]") {
  CHECK(widest_line(whole_report({.columns = 80})) <= 80);
}

TEST_CASE("on 60 columns a row's published figure stands below it, and so do long names of its sides",
          "[report]") {
  const auto text = whole_report({.columns = 60});
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    CHECK((line.size() <= 60 || line.find(' ') == line.npos));  // a row's name is not cut
  CHECK_THAT(text, ContainsSubstring("\n            published: "));
  CHECK_THAT(text, ContainsSubstring("\n            ! published: "));
  CHECK_THAT(text, !ContainsSubstring("PUBLISHED"));
  auto row = example::row("transfer/hostregister_parallel", "n:1");
  row.sides = {"cudaHostAlloc", "threads map the pages, then register"};
  CHECK_THAT(table_row(row, nullptr, {.style = {.columns = 60}}),
             StartsWith("transfer/hostregister_parallel:\n"
                        "    cudaHostAlloc -> threads map the pages, then register\n"));
}

TEST_CASE("colour adds nothing but escape sequences", "[report]") {
  const auto coloured = whole_report({.colour = true});
  std::string bare;
  for (std::size_t i = 0; i < coloured.size(); ++i) {
    if (coloured[i] == '\x1b')
      i = coloured.find('m', i);
    else
      bare += coloured[i];
  }
  CHECK(bare == whole_report({}));
}

TEST_CASE("only a verdict that contradicts the published outcome is marked", "[report]") {
  CHECK(contradicts_source(with(Verdict::no_effect, Outcome::helps)));
  CHECK(contradicts_source(with(Verdict::hurts, Outcome::no_effect)));
  CHECK(contradicts_source(with(Verdict::helps, Outcome::hurts)));
  CHECK_FALSE(contradicts_source(with(Verdict::helps, Outcome::helps)));
  CHECK_FALSE(contradicts_source(with(Verdict::hurts, Outcome::depends)));
  CHECK_FALSE(contradicts_source(with(Verdict::inconclusive, Outcome::helps)));
  CHECK_FALSE(contradicts_source(with(Verdict::skipped, Outcome::helps)));
}

TEST_CASE("a figure of a source that says nothing of a row on the CPU is of elsewhere", "[report]") {
  auto row = with(Verdict::helps, Outcome::depends);
  row.published = "no effect (A30)";
  row.name = "a/b/device:cuda";
  CHECK(view_of(row).published == "no effect (A30)");
  row.name = "a/b/device:cpu";
  CHECK(view_of(row).published == "elsewhere: no effect (A30)");
  row.expected = Outcome::helps;
  CHECK(view_of(row).published == "no effect (A30)");
}

TEST_CASE("a row shows its forms in what it is judged by", "[report]") {
  Row row;
  CHECK(judged_text(row, 0.0012) == "1.20 ms");
  row.measured.statistic = Statistic::tail;
  CHECK(judged_text(row, 1.5) == "1.50 x");
  row.measured.statistic = Statistic::figure;
  row.measured.figures = {{"peak memory", "MiB", 3.25, 3.63}};
  CHECK(judged_text(row, 3.25) == "3.25 MiB");
  row.measured.figures = {{"copied", "B", 2048, 1024}};
  CHECK(judged_text(row, 2048) == "2.00 KiB");
}

TEST_CASE("a lesson whose mistake did not show says so", "[report]") {
  auto row = example::judged(example::row("a/b", ""), Verdict::inconclusive, {1e-3, 1e-3}, {0.9, 1.1});
  const auto says = [&] {
    return table_row(row, nullptr, {.details = true}).find("naive: was never wrong here") !=
           std::string::npos;
  };
  CHECK_FALSE(says());
  row.measured.figures = {figure_of({.tries = 20, .naive = 3})};
  CHECK_FALSE(says());
  row.measured.figures = {figure_of({.tries = 20, .naive = 0})};
  CHECK(says());
}

TEST_CASE("rows without figures have no table of figures", "[report]") {
  const std::vector<Row> rows{example::row("a/b", "")};
  for (const auto& row : rows) CHECK(figures_text(row).empty());
}

TEST_CASE("times are held against a floor only where a round has taken some", "[report]") {
  auto row = example::row("a/b", "");
  row.measured.figures = {{"floor", "s", 1e-3, 1e-3}};
  CHECK(figures_text(row) == "floor 1.00 ms");
  row.naive_seconds = 4e-3;
  row.optimized_seconds = 2e-3;
  CHECK(figures_text(row) == "floor 1.00 ms: 4 -> 2 times the floor");
}

TEST_CASE("the two times of a row agree with its change", "[report]") {
  auto row = example::judged(example::row("a/b", ""), Verdict::helps, {1e-3, 9e-4}, {0.45, 0.55});
  row.judged.ratio = 0.5;  // the median of the rounds' ratios, and not the ratio of two medians
  const auto text = table_row(row, nullptr, {.details = true});
  CHECK(text.find("1.00 ms -> 500 us") != std::string::npos);
}

TEST_CASE("a row that compares two timers is worded as one", "[report]") {
  auto row = example::judged(example::row("traps/a", ""), Verdict::hurts, {1e-4, 2e-3}, {19, 21});
  row.expected = Outcome::hurts;
  CHECK(word_of(row) == "slower");
  row.measured.statistic = Statistic::figure;
  row.measured.figures = {reading_of(1e-4, 2e-3, "s")};
  CHECK(word_of(row) == "too little");
  CHECK(expected_word(row) == "too little");
  CHECK(judged_text(row, 2e-3) == "2.00 ms");
  const auto text = table_row(row, nullptr, {.details = true});
  CHECK(text.find("hurts") == std::string::npos);
  const std::vector<Row> rows{row};
  const auto below = summary(rows, {});
  CHECK(below.starts_with("\n1 row: 1 too little\n"));
  CHECK(below.find("compares a wrong timer with a right") != std::string::npos);
}
