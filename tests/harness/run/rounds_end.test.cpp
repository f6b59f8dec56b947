// How sessions end early, by their budget or a signal, and go on afterwards.
#include "tests/harness/run/fake_runner.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <csignal>
#include <optional>
#include <string>

namespace harness::run {
namespace {

using namespace results;
using namespace fakes;

TEST_CASE("A budget ends the session before the first look: rows cannot tell, and say why", "[rounds]") {
  auto results = session_of({"fast"});
  FakeRunner runner(results);
  runner.work({.budget = Duration{Seconds(60), "1m"}});
  CHECK(results.rounds.size() == 5);  // the rehearsal and five rounds of 10 s
  CHECK(results.rows[0].judged.verdict == Verdict::inconclusive);
  CHECK(has_flag(results.rows[0], "only 5 of 14 rounds"));
  CHECK(results.rows[0].reason == "the budget of 1m ran out");
  CHECK(runner.stored.back()["tuneproof"]["pairs"][0]["reason"] == "the budget of 1m ran out");
}

TEST_CASE("A round that would end more than a twentieth after its time is not begun", "[rounds]") {
  const auto passes_within = [](double budget) {
    auto results = session_of({"fast"});
    FakeRunner runner(results);
    runner.work({.budget = Duration{Seconds(budget), "as given"}});
    return runner.passes.size();
  };
  CHECK(passes_within(57.2) == 6);  // 60.06 s
  CHECK(passes_within(57.1) == 5);  // 59.96 s
}

TEST_CASE("A budget that ends between two looks leaves the verdicts of the last completed look", "[rounds]") {
  auto results = session_of({"fast", "noisy"}, {14, 28, 56});
  FakeRunner runner(results);
  runner.work({.budget = Duration{Seconds(205), "205s"}});
  CHECK(results.rounds.size() == 20);
  CHECK(results.rows[0].judged.verdict == Verdict::helps);
  CHECK(results.rows[0].reason.empty());
  CHECK(results.rows[1].rounds == 14);
  CHECK(results.rows[1].reason == "the budget of 205s ran out");
}

TEST_CASE(
    "The quick suite ends after the time of 6.5 rounds, its rehearsal included, or of ten that take 85 s",
    "[rounds]") {
  const auto seconds_of = [](const std::string& suite, double round) {
    auto results = allotted_session({"near"});
    results.session.suite = suite;
    FakeRunner runner(results);
    runner.seconds = [round](const Pass&) { return round; };
    runner.fails = [round](Row& row, const Pass&) {
      row.row_seconds = round;
      return false;
    };
    runner.work();
    return runner.now;
  };
  CHECK(seconds_of("full", 20) == 140);  // a rehearsal and six rounds
  CHECK(seconds_of("quick", 20) == 80);  // 130 s have room for two of the three rounds that are left
  CHECK(seconds_of("quick", 10) == 70);  // 85 s for all three, 65 s for two
  CHECK(seconds_of("quick", 1) == seconds_of("full", 1));  // few rows are no longer than elsewhere
}

/// A session of one row whose rehearsal and rounds take so long, on the runner's clock.
FakeRunner runner_of(Results& results, double rehearsal, double round) {
  FakeRunner runner(results);
  runner.seconds = [=](const Pass& pass) { return pass.round ? round : rehearsal; };
  runner.fails = [=](Row& row, const Pass& pass) {
    row.row_seconds = pass.round ? round : rehearsal;
    return false;
  };
  return runner;
}

TEST_CASE("A rehearsal that was slow, with cold caches, costs a session no rounds", "[rounds]") {
  // 20 s have room for 14 rounds of a second, and not for the next look, after 21. 60 s + 14 s would be 15
  // rounds of 5 s each if the rehearsal counted as one of them.
  auto results = allotted_session({"noisy"});
  auto runner = runner_of(results, 60, 1);
  runner.work({.patient = true});
  CHECK(results.rounds.size() == 14);
  CHECK(results.rows[0].reason == "14 rounds did not tell");
  // Of a budget of 100 s it leaves 40 s, and so room for the look after 35 rounds.
  auto budgeted = allotted_session({"noisy"});
  auto second = runner_of(budgeted, 60, 1);
  second.work({.budget = Duration{Seconds(100), "100s"}, .patient = true});
  CHECK(budgeted.rounds.size() == 35);
}

/// A session of two commands whose runs lie apart and scatter; a round takes 47 s, and their warm-up a
/// quarter of it.
Results measured_within(double budget, std::vector<Json>& stored) {
  auto results = allotted_session({"versus/wall/command:b"});
  FakeRunner runner(results);
  runner.seconds = [](const Pass& pass) { return pass.round ? 47.0 : 11.75; };
  runner.fails = [&](Row& row, const Pass& pass) {
    row.row_seconds = runner.seconds(pass);
    if (!pass.round) return false;
    const std::array seconds{1.0, 2.0, 2.4 - 0.1 * *pass.round, 1.1};
    for (int slot = 0; slot < 4; ++slot)
      row.measured.samples.push_back({.round = *pass.round,
                                      .slot = slot,
                                      .form = slot == 0 || slot == 3 ? Form::naive : Form::optimized,
                                      .seconds = seconds.at(static_cast<std::size_t>(slot))});
    row.measured.log_ratios = {0.5 + 0.1 * *pass.round};
    row.measured.setup_seconds = {0};
    row.measured.switches = {0};
    return true;
  };
  runner.work({.budget = Duration{Seconds(budget), "as given"}, .patient = true});
  stored = runner.stored;
  return results;
}

TEST_CASE("A budget that has room for the fourth round of two commands takes it, and it tells them apart",
          "[rounds]") {
  std::vector<Json> stored;
  const auto results = measured_within(200, stored);  // 0.25 s are left after it
  REQUIRE(results.rounds.size() == 4);
  CHECK(results.rows[0].judged.verdict == Verdict::hurts);
  CHECK(measured_within(190.3, stored).rounds.size() ==
        4);  // and a twentieth: 199.8 s, where 199.75 are needed
  CHECK(measured_within(190.2, stored).rounds.size() == 3);
}

TEST_CASE("The file says that the runs of two commands have made the interval", "[rounds]") {
  std::vector<Json> stored;
  measured_within(200, stored);
  CHECK(stored.back()["tuneproof"]["pairs"][0]["result"]["ci_method"] == "mann-whitney");
  const auto read = results_from_json(stored.back(), "r.json");
  CHECK(read.rows[0].judged.method == CiMethod::mann_whitney);
}

TEST_CASE("Without a budget a patient session comes to its first look, however slow its rounds become",
          "[rounds]") {
  for (const bool patient : {true, false}) {
    INFO(patient);
    auto results = allotted_session({"noisy"});
    auto runner = runner_of(results, 1, 1);
    runner.seconds = [](const Pass& pass) { return pass.round.value_or(0) < 3 ? 1.0 : 100.0; };
    runner.work({.patient = patient});
    if (patient)
      CHECK(results.rounds.size() == 10);
    else
      CHECK(results.rounds.size() < 10);
  }
}

TEST_CASE("Rows that share the error have their verdict at the first look that has an interval", "[rounds]") {
  // 8 % slower, which is within three bands: no early look tells it. The time of ten rounds would not do.
  auto results = allotted_session({"slow"});
  results.session.alpha = 0.005;
  results.session.looks = looks_with_interval(allotted_looks, results.session.alpha);
  auto runner = runner_of(results, 10, 10);
  const auto timed = runner.fails;
  runner.fails = [&](Row& row, const Pass& pass) {
    timed(row, pass);
    if (!pass.round) return false;
    row.measured.log_ratios = {0.08 + 0.001 * (*pass.round % 3)};
    row.measured.setup_seconds = {0.1};
    row.measured.switches = {0};
    row.measured.samples = {{.round = *pass.round, .seconds = 1}};
    return true;
  };
  runner.work();
  CHECK(results.rounds.size() == 11);
  CHECK(results.rows[0].judged.verdict == Verdict::hurts);
  CHECK(results.rows[0].rounds == 11);
}

TEST_CASE("A budget that is spent within a round keeps the rows that ended in it, failures too", "[rounds]") {
  auto results = session_of({"a", "b", "c"});
  FakeRunner runner(results);
  runner.fails = [&](Row& row, const Pass& pass) {
    if (pass.round != 2) return false;
    runner.rows_per_pass = 2;  // the budget was spent while it ran
    return row.name == names_in(pass)[0] && failing(row.name, 2)(row, pass);
  };
  runner.work();
  const auto rows_with = [&](int rounds) {
    return std::ranges::count(results.rows, rounds, [](const Row& r) { return r.rounds; });
  };
  CHECK(results.rounds.size() == 3);
  CHECK(finished_rounds(results) == 2);
  CHECK(std::ranges::count(results.rows, Verdict::failed, [](const Row& r) { return r.judged.verdict; }) ==
        1);
  CHECK(rows_with(2) == 1);
  CHECK(rows_with(3) == 1);
}

TEST_CASE("A signal within the first row of a round leaves no trace of that round", "[rounds]") {
  auto results = session_of({"a"});
  FakeRunner runner(results);
  runner.signal = [](const Pass& pass) { return pass.round == 4 ? std::optional(SIGINT) : std::nullopt; };
  CHECK(runner.work() == SIGINT);
  CHECK(results.rounds.size() == 4);
  CHECK(runner.stored.size() == 5);
  CHECK(has_flag(results.rows[0], "only 4 of 14 rounds"));
}

TEST_CASE("A signal within a round keeps the rows that had ended, and stores them", "[rounds]") {
  auto results = session_of({"a", "b", "c"});
  FakeRunner runner(results);
  runner.rows_before_signal = 2;
  runner.signal = [](const Pass& pass) { return pass.round == 4 ? std::optional(SIGTERM) : std::nullopt; };
  CHECK(runner.work() == SIGTERM);
  CHECK(results.rounds.size() == 5);
  CHECK(finished_rounds(results) == 4);
  const auto stored = results_from_json(runner.stored.back(), "r.json");
  const auto order = names_in(runner.passes.back());
  for (const auto& row : stored.rows)
    CHECK(row.measured.log_ratios.size() == (row.name == order.back() ? 4 : 5));
}

TEST_CASE("A signal within the rehearsal keeps the rows that were rehearsed", "[rounds]") {
  auto results = session_of({"a", "b", "c"});
  FakeRunner runner(results);
  runner.rows_before_signal = 1;
  runner.signal = [](const Pass& pass) { return pass.round ? std::nullopt : std::optional(SIGINT); };
  CHECK(runner.work() == SIGINT);
  REQUIRE(runner.stored.size() == 1);
  auto resumed = results_from_json(runner.stored.back(), "r.json");
  FakeRunner second(resumed);
  second.work();
  CHECK(names_in(second.passes[0]) == Names{"b", "c"});
  CHECK(second.passes.size() == 15);
}

TEST_CASE("A round that was cut is finished first, by the rows that lack it", "[rounds]") {
  auto results = session_of({"a", "b", "c", "fast"});
  FakeRunner first(results);
  first.rows_before_signal = 1;
  first.signal = [](const Pass& pass) { return pass.round == 4 ? std::optional(SIGINT) : std::nullopt; };
  first.work();
  const auto had = names_in(first.passes.back()).front();

  auto resumed = results_from_json(first.stored.back(), "r.json");
  FakeRunner second(resumed);
  second.work();
  CHECK(second.passes[0].round == 4);
  CHECK(second.passes[0].rows.size() == 3);
  CHECK(std::ranges::count(names_in(second.passes[0]), had) == 0);
  CHECK(second.passes[1].round == 5);
  CHECK(second.passes[1].rows.size() == 4);
  CHECK(resumed.rounds.size() == 14);
  CHECK(resumed.rounds[4].workers == 2);
  CHECK(resumed.rounds[4].seconds == 20);
  for (const auto& row : resumed.rows) {
    CHECK(row.measured.log_ratios.size() == 14);
    for (int unit = 0; unit < 14; ++unit)
      CHECK(row.measured.log_ratios[static_cast<std::size_t>(unit)] == log_ratio(row.name, unit));
  }
}

/// Everything of the results that a schedule leads to.
std::string outcome_of(const Results& results) {
  std::string text;
  for (const auto& row : results.rows) {
    text +=
        row.name + " " + std::string(to_string(row.judged.verdict)) + " " + std::to_string(row.rounds) + ":";
    for (const auto d : row.measured.log_ratios) text.append(" ").append(std::to_string(d));
    text += "\n";
  }
  return text;
}

TEST_CASE("A session resumed from any of its files goes on with the same schedule", "[rounds]") {
  const Names names{"fast", "noisy", "same", "dies"};
  auto whole = session_of(names, {14, 28});
  FakeRunner uninterrupted(whole);
  uninterrupted.fails = failing("dies", 6);
  uninterrupted.work();
  for (std::size_t file = 0; file < uninterrupted.stored.size(); file += 3) {
    auto resumed = results_from_json(uninterrupted.stored[file], "r.json");
    FakeRunner runner(resumed);
    runner.fails = uninterrupted.fails;
    runner.work();
    CHECK(outcome_of(resumed) == outcome_of(whole));
    CHECK(runner.passes.size() + 1 + file == std::max(uninterrupted.passes.size(), 1 + file));
    for (std::size_t i = 0; i < runner.passes.size(); ++i)
      CHECK(names_in(runner.passes[i]) == names_in(uninterrupted.passes[i + 1 + file]));
  }
}

TEST_CASE("A session on a busy machine ends after the rehearsal where nobody wants to wait for it",
          "[rounds]") {
  auto results = session_of({"fast"});
  FakeRunner runner(results);
  double told = -1;
  runner.disturbed = [&](double share) {
    told = share;
    return false;
  };
  runner.work();
  CHECK(told >= 0);
  CHECK(results.session.rehearsal_other_cpu == told);
  CHECK(runner.passes.size() == 1);
  CHECK(results.rows[0].reason == "stopped, since other programs were at work");
}

TEST_CASE("A budget that ended in the rehearsal names the other programs that took it", "[rounds]") {
  CHECK(ran_out_text("15s", 0.62) ==
        "the budget of 15s ran out; other programs took 62 % of the CPUs meanwhile");
  CHECK(ran_out_text("15s", 0.05) == "the budget of 15s ran out");
  CHECK(ran_out_text("15s", std::nullopt) == "the budget of 15s ran out");
}

TEST_CASE("A session that its budget ended is resumed like any other", "[rounds]") {
  auto results = session_of({"fast", "same"});
  FakeRunner first(results);
  first.work({.budget = Duration{Seconds(60), "1m"}});
  auto resumed = results_from_json(first.stored.back(), "r.json");
  FakeRunner second(resumed);
  second.work();
  CHECK(resumed.rows[0].judged.verdict == Verdict::helps);
  CHECK(resumed.rows[0].reason.empty());
}

}  // namespace
}  // namespace harness::run
