#include "harness/core/allot.hpp"
#include "harness/run/open_rows.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

using namespace harness;
using namespace harness::results;
using namespace harness::run;

namespace {

/// A row at its first look: ten rounds of a second each, evenly spread about the median.
Row open_row(const std::string& name, double median, double step) {
  Row row;
  row.name = name;
  row.delta = 0.03;
  row.rounds = 10;
  for (int i = 0; i < 10; ++i) row.measured.log_ratios.push_back(median + (i - 4.5) * step);
  row.row_seconds = 11;  // with the rehearsal
  return row;
}

Results at_first_look(std::vector<Row> rows) {
  Results results;
  results.session.looks = allotted_looks;
  results.session.allotted = true;
  results.session.alpha = 0.01;
  for (int i = 0; i < 10; ++i)
    results.rounds.push_back(
        {.round = i, .start = 2.0 * i, .seconds = 2, .workers = 1, .disturbance = {}, .other_cpu = 0.31});
  results.rows = std::move(rows);
  return results;
}

// Needs 11 rounds more at least: further than the four that are left of fourteen.
Row near() { return open_row("near", 0.09, 0.01); }
Row hopeless() { return open_row("hopeless", 0, 0.5); }

TEST_CASE("the advice names the other work and what a larger budget would tell", "[advice]") {
  const auto text = advice(at_first_look({near(), hopeless()}));
  CHECK(text.starts_with(
      "Other programs took 31 % of the CPUs: wait until they have ended, or run again with --budget "));
}

TEST_CASE("the end of a run says what other work took, and of which round most", "[advice]") {
  auto results = at_first_look({near()});
  for (auto& round : results.rounds) round.other_cpu = 0;
  results.rounds[1].other_cpu = 0.5;
  CHECK(disturbance_text(results) == "Other programs took 5.0 % of the CPUs, and 50 % in the worst round.");
  for (auto& round : results.rounds) round.other_cpu.reset();
  CHECK(disturbance_text(results).empty());
}

TEST_CASE("a quiet machine and hopeless rows leave nothing to wait for", "[advice]") {
  auto results = at_first_look({hopeless()});
  for (auto& round : results.rounds) round.other_cpu = 0.01;
  CHECK(advice(results).starts_with("More rounds would hardly help."));
}

TEST_CASE("sessions that take even rounds, and decided ones, get no advice", "[advice]") {
  auto results = at_first_look({near()});
  results.session.allotted = false;
  CHECK(advice(results).empty());
  auto decided = at_first_look({near()});
  decided.rows[0].judged.verdict = Verdict::helps;
  CHECK(advice(decided).empty());
}

TEST_CASE("a budget that ended before the first look says how long first verdicts take here", "[advice]") {
  auto results = at_first_look({near(), hopeless()});
  results.rounds.resize(2);
  for (auto& row : results.rows) {
    row.measured.log_ratios.resize(2);
    row.row_seconds = 30;  // three times ten seconds, the rehearsal among them
  }
  // Eleven rounds of 20 s, the rehearsal among them.
  CHECK(advice(results) ==
        "Other programs took 31 % of the CPUs: wait until they have ended, or run again with --budget 4m: "
        "first "
        "verdicts of these 2 rows take about 3 min 40 s here.");
  for (auto& round : results.rounds) round.other_cpu = 0;
  CHECK(
      advice(results).starts_with("Next: run again with --budget 4m: first verdicts of these 2 rows take "));
  results.session.allotted = false;
  CHECK(advice(results).starts_with("Next: run again with --budget 4m"));
}

TEST_CASE("a budget that ended in the rehearsal counts the rows that nothing is known of", "[advice]") {
  auto results = at_first_look({near(), hopeless()});
  results.rounds.clear();
  for (auto& row : results.rows) row.measured.log_ratios.clear();
  results.rows[0].row_seconds = 10;
  results.rows[1].row_seconds = 0;
  results.session.rehearsal_other_cpu = 0.62;
  CHECK(disturbance_text(results) ==
        "Other programs took 62 % of the CPUs during the rehearsal, and no round was finished.");
  CHECK(advice(results) ==
        "Other programs took 62 % of the CPUs: wait until they have ended, or run again with --budget 4m: "
        "first "
        "verdicts of these 2 rows take about 3 min 40 s here.");
  results.rows[0].row_seconds = 0;
  CHECK(advice(results) ==
        "Other programs took 62 % of the CPUs: wait until they have ended, or raise --budget or select fewer "
        "rows.");
  results.session.rehearsal_other_cpu = 0.01;
  CHECK(advice(results) == "Next: raise --budget or select fewer rows.");
  results.session.rehearsal_other_cpu.reset();
  CHECK(advice(results).empty());  // of a file from before 1.13
}

TEST_CASE("rows between two looks go on before others are chosen", "[rounds]") {
  auto results = at_first_look({near(), near()});
  results.rows[1].measured.log_ratios.push_back(0.09);
  CHECK(next_rows(results, 1000.0) == Indices{1});
}

TEST_CASE("a hopeless row ends, and says so", "[rounds]") {
  const auto results = at_first_look({near(), hopeless()});
  CHECK(next_rows(results, 1000.0) == Indices{0});
  CHECK(why_no_more(results.rows[1], results.session).starts_with("more rounds would hardly tell"));
  CHECK(why_no_more(results.rows[0], results.session).starts_with("the time went to rows"));
}

TEST_CASE("where no other row waits for its time, a hopeless row goes on while there is time", "[rounds]") {
  const auto results = at_first_look({hopeless()});
  CHECK(next_rows(results, 1000.0).empty());
  CHECK(next_rows(results, 1000.0, true) == Indices{0});
  CHECK(next_rows(results, 3.0, true).empty());  // the next look is four rounds away
}

TEST_CASE("without a budget the time is that of fourteen rounds of all rows", "[rounds]") {
  auto results = at_first_look({near(), open_row("clear", -0.2, 0.04)});
  // 28 s in all, 20 of them used: four rounds of both rows, or eight of none but one.
  CHECK(next_rows(results, {}).size() <= 2);
  for (auto& round : results.rounds) round.seconds = 2;
  results.rounds.push_back({.round = 10, .seconds = 8, .disturbance = {}});
  CHECK(next_rows(results, {}).empty());
}

}  // namespace
