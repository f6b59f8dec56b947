#include "harness/compare/gate_session.hpp"

#include "tests/harness/run/fake_programs.hpp"

#include "harness/compare/contest_text.hpp"
#include "harness/core/setup.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <cmath>
#include <csignal>

using namespace harness;
using namespace harness::compare;
using namespace harness::results;
using namespace harness::run;
using namespace harness::example;
using Catch::Matchers::ContainsSubstring;

namespace {

using Names = std::vector<std::string>;

Results session_of(const Names& names, std::vector<int> looks = {14}) {
  Results results;
  results.session.seed = 7;
  results.session.looks = std::move(looks);
  results.session.alpha = 0.01;
  results.session.rows = names;
  for (const auto& name : names) results.rows.push_back(row_named(name));
  return results;
}

/// Rows whose name begins with "slow" take 12 % longer in HEAD, in both forms.
double slow_rows(const Launched& now, const Row& row, Form) {
  return now.process.build == ContestBuild::head && row.name.starts_with("slow") ? 1.12 : 1.0;
}

struct Attempt {
  FakePrograms programs;
  GateRules rules;
  std::vector<double> waits = {};
  std::optional<int> signal_while_waiting = {};

  GateOutcome gate(Results session) {
    return run_gate(std::move(session), rules,
                    {.launch = programs.launcher(),
                     .clock = [&] { return programs.clock(); },
                     .wait =
                         [&](Seconds time) {
                           waits.push_back(time.count());
                           return signal_while_waiting;
                         }});
  }
};

ContestReport report_of(GateOutcome outcome) {
  return {.base = {"old/tuneproof", "0.1.0", "aaa"},
          .head = {"new/tuneproof", "0.1.0", "bbb"},
          .outcome = std::move(outcome)};
}

int code_of(ContestReport report, const Demands& demands = {}) {
  report.demands = demands;
  return conclusion_of(contest_ci(report)).code;
}

std::string last_line(const ContestReport& report) { return conclusion_of(contest_ci(report)).line; }

bool is_busy(const Launched& now) { return now.pass.round.value_or(0) % 2 == 1; }

/// Every second round other work takes the machine: canaries stand apart in half of them.
double shaken(const Launched& now) { return is_busy(now) ? 0.0065 : 0.005; }

/// HEAD's optimized form takes that many times as long; its naive form stands still.
auto doubled(double ratio) {
  return [=](const Launched& now, const Row&, Form form) {
    return now.process.build == ContestBuild::head && form == Form::optimized ? ratio : 1.0;
  };
}

}  // namespace

TEST_CASE("the same program twice: 14 rounds of four processes, nothing flagged, exit 0", "[gate]") {
  Attempt attempt;
  const auto outcome = attempt.gate(session_of({"a", "b"}));
  CHECK(attempt.programs.launched.size() == 2 + 14 * 4);
  CHECK(attempt.waits.empty());
  CHECK(outcome.rounds.size() == 14);
  for (const auto& row : outcome.rows) {
    CHECK(row.row.judged.verdict == Verdict::no_effect);
    CHECK_FALSE(row.regressed);
    CHECK(row.row.delta == 0.05);
  }
  CHECK(code_of(report_of(outcome), {.strict = true}) == 0);
}

TEST_CASE("a slowdown that a second session shows again fails, and both intervals are named", "[gate]") {
  Attempt attempt;
  attempt.programs.seconds = slow_rows;
  const auto outcome = attempt.gate(session_of({"a", "slow"}));
  CHECK(outcome.rows[1].confirmed);
  CHECK_FALSE(outcome.rows[0].regressed);
  const auto report = report_of(outcome);
  CHECK(code_of(report) == 2);
  CHECK_THAT(contest_text(report, {}),
             ContainsSubstring("slow: slower in two sessions, +12.0 % [+12.0, +12.0] and +12.0 %"));
  CHECK_THAT(contest_text(report, {}), ContainsSubstring("the first side moved too"));
}

TEST_CASE("a row that looks slower and is undecided is not passed because another was decided", "[gate]") {
  Attempt attempt;
  attempt.programs.seconds = [](const Launched& now, const Row& row, Form form) {
    const bool heads = now.process.build == ContestBuild::head && form == Form::optimized;
    return heads && row.name == "odd" ? (now.pass.round.value_or(0) % 7 == 0 ? 0.98 : 1.4) : 1.0;
  };
  const auto report = report_of(attempt.gate(session_of({"a", "odd"})));
  CHECK(code_of(report) == 4);
  CHECK(last_line(report) == "NOT DECIDED: 1 row maybe slower");
  CHECK_THAT(contest_text(report, {}), ContainsSubstring("its middle lies beyond its margin of 5 %"));
}

TEST_CASE("the second session has the flagged rows only, another seed, and comes after the pause", "[gate]") {
  Attempt attempt;
  attempt.programs.seconds = slow_rows;
  attempt.rules.pause = Seconds(60);
  const auto outcome = attempt.gate(session_of({"a", "slow"}));
  CHECK(attempt.waits == std::vector<double>{60});
  REQUIRE(attempt.programs.launched.size() == 2 * (2 + 14 * 4));
  const auto& last = attempt.programs.launched.back();
  CHECK(last.pass.rows.size() == 1);
  CHECK(last.process.seed != outcome.session.seed);
  CHECK(last.process.seed == outcome.second->seed);
}

TEST_CASE("a slowdown that only the first session saw fails nothing", "[gate]") {
  Attempt attempt;
  attempt.programs.seconds = [](const Launched& now, const Row& row, Form form) {
    return now.process.seed == 7 ? slow_rows(now, row, form) : 1.0;
  };
  const auto outcome = attempt.gate(session_of({"slow"}));
  CHECK(outcome.rows[0].regressed);
  CHECK_FALSE(outcome.rows[0].confirmed);
  const auto report = report_of(outcome);
  CHECK(code_of(report, {.strict = true}) == 0);
  CHECK_THAT(contest_text(report, {}), ContainsSubstring("not confirmed"));
}

TEST_CASE("a program that takes twice as long fails on an unstable machine too", "[gate]") {
  Attempt attempt;
  attempt.programs.seconds = doubled(1.988);
  attempt.programs.canary = shaken;
  const auto report = report_of(attempt.gate(session_of({"a"})));
  const auto& row = report.outcome.rows[0];
  CHECK(std::ranges::count(row.row.judged.flags, "unstable machine") == 1);
  CHECK(row.control.verdict == Verdict::no_effect);
  CHECK(row.confirmed);
  CHECK(code_of(report) == 2);
  CHECK(last_line(report) == "FAILED: 1 row slower");
}

TEST_CASE("a slowdown that the disturbance could have made is not decided, and fails with 4", "[gate]") {
  Attempt attempt;
  attempt.programs.seconds = [](const Launched& now, const Row& row, Form form) {
    return doubled(is_busy(now) ? 1.5 : 1.12)(now, row, form);  // the busy rounds alone say so much
  };
  attempt.programs.canary = shaken;
  const auto report = report_of(attempt.gate(session_of({"a"})));
  CHECK_FALSE(report.outcome.rows[0].regressed);
  CHECK(attempt.waits.empty());
  CHECK(code_of(report) == 4);
  CHECK(last_line(report) == "NOT DECIDED: 1 row maybe slower");
  CHECK_THAT(contest_text(report, {}), ContainsSubstring("what disturbed the machine could have made it"));
  CHECK(contest_ci(report).rows[0].fate == Fate::unsettled);
}

TEST_CASE("equal programs on an unstable machine pass", "[gate]") {
  Attempt attempt;
  attempt.programs.canary = shaken;
  CHECK(code_of(report_of(attempt.gate(session_of({"a", "b"}))), {.strict = true}) == 0);
}

TEST_CASE("a slowdown that a second session can neither show nor refute is not decided", "[gate]") {
  Attempt attempt;
  attempt.programs.seconds = [](const Launched& now, const Row& row, Form form) {
    return doubled(now.process.seed == 7 ? 1.12 : is_busy(now) ? 1.3 : 0.9)(now, row, form);
  };
  const auto report = report_of(attempt.gate(session_of({"a"})));
  CHECK(report.outcome.rows[0].regressed);
  CHECK(code_of(report) == 4);
  CHECK_THAT(contest_text(report, {}), ContainsSubstring("a fresh session could not tell"));
}

TEST_CASE("a pair that the self-test found noisy fails beyond its wide margin", "[gate]") {
  Attempt attempt;
  attempt.programs.seconds = slow_rows;
  attempt.rules.noise["slow"] = 0.03;
  CHECK(code_of(report_of(attempt.gate(session_of({"a", "slow"})))) == 2);
  attempt.rules.noise["slow"] = 0.10;
  CHECK(code_of(report_of(attempt.gate(session_of({"a", "slow"})))) == 0);
}

TEST_CASE("a gate whose rows are all skipped in both programs has compared nothing, and fails", "[gate]") {
  Attempt attempt;
  attempt.programs.fails = [](const Launched&, Row& row) {
    row.judged.verdict = Verdict::skipped;
    row.reason = "no CUDA device";
    return true;
  };
  const auto report = report_of(attempt.gate(session_of({"a", "b"})));
  CHECK(code_of(report) == 4);
  CHECK(code_of(report, {.allow_missing = true}) == 4);
  CHECK(last_line(report) == "NOT DECIDED: no row was compared");
  CHECK(code_of(report_of({})) == 4);
}

TEST_CASE("rows of which none is decided fail; of more than a fifth only where strict", "[gate]") {
  Attempt attempt;
  attempt.programs.seconds = [](const Launched& now, const Row& row, Form form) {
    return doubled(row.name == "noisy" && is_busy(now) ? 1.3 : row.name == "noisy" ? 0.8 : 1)(now, row, form);
  };
  CHECK(code_of(report_of(attempt.gate(session_of({"noisy"})))) == 4);
  const auto report = report_of(attempt.gate(session_of({"a", "noisy"})));
  CHECK(code_of(report) == 0);
  CHECK(last_line(report) == "PASSED: 2 rows compared, 1 undecided");
  CHECK(code_of(report, {.strict = true}) == 4);
}

TEST_CASE("a count that rose fails, naming row and both counts", "[gate]") {
  Attempt attempt;
  attempt.programs.figures = [](ContestBuild build) {
    return std::vector<Figure>{{"copies", "calls", 4, build == ContestBuild::base ? 4.0 : 5.0}};
  };
  const auto report = report_of(attempt.gate(session_of({"a"})));
  CHECK(code_of(report) == 2);
  CHECK_THAT(contest_text(report, {}), ContainsSubstring("a: copies (second side): 4 -> 5 (+25.0 %)"));
}

TEST_CASE("a row that dies in HEAD is failed and named, and the exit code is 1", "[gate]") {
  Attempt attempt;
  attempt.programs.fails = failing("b", ContestBuild::head, 5);
  const auto report = report_of(attempt.gate(session_of({"a", "b"})));
  CHECK(code_of(report) == 1);
  CHECK_THAT(contest_text(report, {}), ContainsSubstring("HEAD: the worker was killed by signal 11"));
  CHECK(report.outcome.rows[0].row.judged.verdict == Verdict::no_effect);
}

TEST_CASE("Ctrl-C keeps the rounds that were finished, gates nothing, and ends with 130", "[gate]") {
  Attempt attempt;
  attempt.programs.seconds = slow_rows;
  attempt.programs.signal = [](const Launched& now) {
    return now.pass.round == 9 ? std::optional(SIGINT) : std::nullopt;
  };
  const auto report = report_of(attempt.gate(session_of({"slow"})));
  CHECK(report.outcome.rounds.size() == 9);
  CHECK_FALSE(report.outcome.rows[0].regressed);
  CHECK(code_of(report) == 130);
  CHECK_THAT(contest_text(report, {}), ContainsSubstring("only 9 of 14 rounds"));
}

TEST_CASE("Ctrl-C before the second session leaves what was flagged unconfirmed", "[gate]") {
  Attempt attempt;
  attempt.programs.seconds = slow_rows;
  attempt.signal_while_waiting = SIGINT;
  const auto report = report_of(attempt.gate(session_of({"slow"})));
  CHECK(report.outcome.rows[0].regressed);
  CHECK(code_of(report) == 130);
  CHECK_THAT(contest_text(report, {}), ContainsSubstring("stopped before the row was measured again"));
}

TEST_CASE("a row that only HEAD cannot run, or that vanished, is exit 4 unless that is allowed", "[gate]") {
  Attempt attempt;
  attempt.programs.fails = [](const Launched& now, Row& row) {
    if (now.process.build != ContestBuild::head || row.name != "b") return false;
    row.judged.verdict = Verdict::skipped;
    row.reason = "out of memory";
    return true;
  };
  auto report = report_of(attempt.gate(session_of({"a", "b"})));
  CHECK(code_of(report) == 4);
  CHECK(last_line(report) == "FAILED: 1 row missing");
  CHECK(code_of(report, {.allow_missing = true}) == 0);
  report.outcome.rows.pop_back();
  CHECK(code_of(report) == 0);
  report.missing = {"c"};
  CHECK(code_of(report) == 4);
  CHECK(code_of(report, {.allow_missing = true}) == 0);
}

TEST_CASE("a slower row that chance among so many could explain goes on to the next look", "[gate]") {
  Attempt attempt;
  attempt.programs.seconds = [](const Launched& now, const Row& row, Form form) {
    const bool lucky = now.pass.round == 3;  // one round of 14: p 0.0009, times ten rows
    return lucky ? 1.0 : slow_rows(now, row, form);
  };
  Names names{"slow"};
  for (int i = 0; i < 9; ++i) names.push_back("row " + std::to_string(i));
  const auto outcome = attempt.gate(session_of(names, {14, 28, 56}));
  CHECK(outcome.rows[0].row.rounds == 28);
  CHECK(outcome.rows[0].confirmed);
  CHECK(outcome.rows[1].row.rounds == 14);
}

TEST_CASE("looks that can gate nothing are left out, and too few for the rows are refused", "[gate]") {
  CHECK(gating_looks({.looks = {14, 28, 56}}, 50) == std::vector{14, 28, 56});
  CHECK(gating_looks({.looks = {14, 28, 56}}, 100) == std::vector{28, 56});
  CHECK_THROWS_AS(gating_looks({.looks = {14}}, 200), BadInput);
}

TEST_CASE("the comparison as JSON has a value a round, the seeds of both sessions and what failed",
          "[gate]") {
  Attempt attempt;
  attempt.programs.seconds = slow_rows;
  const auto json = contest_json(report_of(attempt.gate(session_of({"slow"}))));
  CHECK(json["schema"] == "tuneproof.comparison");
  const auto& row = json["rows"][0];
  CHECK(row["confirmed"] == true);
  CHECK(row["round_log_ratios"].size() == 14);
  CHECK(row["round_head_ns"].size() == 14);
  CHECK(row["again"]["verdict"] == "hurts");
  CHECK(json["session"]["second_seed"].is_string());
}

TEST_CASE("JUnit fails the confirmed row and passes the others", "[gate]") {
  Attempt attempt;
  attempt.programs.seconds = slow_rows;
  const auto ci = contest_ci(report_of(attempt.gate(session_of({"a", "slow"}))));
  CHECK(ci.rows[0].fate == Fate::pass);
  CHECK(ci.rows[1].fate == Fate::failure);
  CHECK_THAT(ci.rows[1].message, ContainsSubstring("again +12.0 %"));
}
