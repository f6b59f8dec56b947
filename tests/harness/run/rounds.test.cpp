#include "harness/run/rounds.hpp"

#include "harness/core/slot_order.hpp"
#include "harness/run/judge_row.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace harness::run {
using namespace results;
namespace {

using Names = std::vector<std::string>;

Row planned(const std::string& name) {
  Row row;
  row.name = row.step = name;
  row.delta = 0.03;
  return row;
}

Results session_of(const Names& names, std::vector<int> looks = {14}) {
  Results results;
  results.session.seed = 7;
  results.session.suite = "full";
  results.session.threads = 1;
  results.session.looks = std::move(looks);
  results.session.alpha = 0.01;
  results.session.rows = names;
  for (const auto& name : names) results.rows.push_back(planned(name));
  return results;
}

/// "fast" is decided at the first look, "noisy" at none; other rows have no effect.
double log_ratio(const std::string& name, int round) {
  if (name.starts_with("fast")) return -0.5;
  if (!name.starts_with("noisy")) return 0;
  Random random(row_seed(static_cast<std::uint64_t>(round), name));
  return 0.3 * (static_cast<double>(random.below(1000)) / 500 - 1);
}

/// Stands in for the worker processes, on a clock of its own: 10 s a pass.
struct FakeCrew {
  explicit FakeCrew(Results& state) : results(state) {}
  Results& results;
  double now = 0;
  std::vector<Pass> passes;
  std::vector<Json> stored;
  /// What becomes of a row instead of a result; of the pass once it is over.
  std::function<bool(Row&, const Pass&)> fails = [](Row&, const Pass&) { return false; };
  std::function<std::optional<int>(const Pass&)> signal = [](const Pass&) { return std::nullopt; };
  int rows_per_pass = 1000;
  int rows_before_signal = 0;

  Shift run(const Pass& pass, const std::function<void(Row)>& ended) {
    passes.push_back(pass);
    now += 10;
    const auto came = signal(pass);
    int done = came ? rows_per_pass - rows_before_signal : 0;
    for (auto row : pass.rows) {
      if (done++ == rows_per_pass) break;
      row.measured.iterations = 3;
      if (!fails(row, pass) && pass.round) {
        row.measured.log_ratios = {log_ratio(row.name, *pass.round)};
        row.measured.setup_seconds = {0.1};
        row.measured.switches = {0};
        row.measured.samples = {{.round = *pass.round, .seconds = 1}};
      }
      ended(std::move(row));
    }
    if (came) return {.signal = came, .workers = 1};
    return {.workers = 1, .disturbance = {.involuntary_switches = 5}};
  }

  std::optional<int> work(const Limits& limits = {}) {
    const Runner runner{.run = [this](const Pass& pass, const auto& ended) { return run(pass, ended); },
                        .clock = [this] { return Seconds(now); },
                        .store = [this] { stored.push_back(results_to_json(results)); }};
    return Rounds(results, limits, runner).run();
  }
};

Names names_in(const Pass& pass) {
  Names names;
  for (const auto& row : pass.rows) names.push_back(row.name);
  return names;
}

bool has_flag(const Row& row, const std::string& flag) {
  return std::ranges::find(row.judged.flags, flag) != row.judged.flags.end();
}

/// The row fails in that round.
auto failing(const std::string& name, int round) {
  return [=](Row& row, const Pass& pass) {
    if (row.name != name || pass.round != round) return false;
    row.judged.verdict = Verdict::failed;
    row.reason = "the worker was killed by signal 11 (Segmentation fault)";
    row.stage = "worker";
    return true;
  };
}

TEST_CASE("A session is one rehearsal and as many rounds as the first look has", "[rounds]") {
  auto results = session_of({"fast", "same"});
  FakeCrew runner(results);
  CHECK_FALSE(runner.work());
  REQUIRE(runner.passes.size() == 15);
  CHECK_FALSE(runner.passes[0].round);
  CHECK(runner.passes[14].round == 13);
  CHECK(runner.passes[14].rows[0].measured.iterations == 3);
  CHECK(results.rounds.size() == 14);
  CHECK(results.rounds[3].disturbance.involuntary_switches == 5);
  CHECK(results.rows[0].judged.verdict == Verdict::helps);
  CHECK(results.rows[1].judged.verdict == Verdict::no_effect);
}

TEST_CASE("Each round has an order of its own; the same seed draws the same orders", "[rounds]") {
  const auto orders = [](std::uint64_t seed) {
    auto results = session_of({"a", "b", "c", "d", "e"});
    results.session.seed = seed;
    FakeCrew runner(results);
    runner.work();
    std::vector<Names> all;
    for (const auto& pass : runner.passes) all.push_back(names_in(pass));
    return all;
  };
  const auto seven = orders(7);
  CHECK(seven == orders(7));
  CHECK(seven != orders(8));
  CHECK(std::set(seven.begin() + 1, seven.end()).size() > 7);
}

TEST_CASE("Only rows that were not decided go on to the next look", "[rounds]") {
  auto results = session_of({"fast", "noisy", "same"}, {14, 28, 56});
  FakeCrew runner(results);
  runner.work();
  CHECK(runner.passes.size() == 1 + 56);
  CHECK(names_in(runner.passes[14]).size() == 3);
  CHECK(names_in(runner.passes[15]) == Names{"noisy"});
  CHECK(results.rows[0].rounds == 14);
  CHECK(results.rows[1].rounds == 56);
  CHECK(results.rows[1].judged.verdict == Verdict::inconclusive);
}

/// A round of pairs that differ from each other, and of which no round as a whole stands apart.
Measurement pairs_that_differ(int round, int pairs) {
  Measurement measured;
  measured.pairs = pairs;
  measured.iterations = 3;
  for (int pair = 0; pair < pairs; ++pair)
    for (int quad = 0; quad < 2; ++quad)
      for (int slot = 0; slot < 4; ++slot) {
        const bool naive = (slot == 0 || slot == 3) == (quad == 0);
        measured.samples.push_back({.round = round,
                                    .pair = pair,
                                    .quad = quad,
                                    .slot = slot,
                                    .form = naive ? Form::naive : Form::optimized,
                                    .seconds = naive ? 1 : std::exp(pair % 2 == 0 ? -0.3 : 0.3)});
      }
  measured.log_ratios = {log_ratio("noisy", round)};
  measured.setup_seconds = {16};
  measured.switches = {0};
  return measured;
}

TEST_CASE("A row that goes on after the first look takes as many pairs as its noise asks for", "[rounds]") {
  for (const int asked : {1, 2}) {
    auto results = session_of({"noisy"}, {14, 28, 56});
    results.session.pairs = asked;
    FakeCrew runner(results);
    runner.fails = [](Row& row, const Pass& pass) {
      if (pass.round) row.measured = pairs_that_differ(*pass.round, row.measured.pairs);
      return pass.round.has_value();
    };
    runner.work();
    REQUIRE(runner.passes.size() == 1 + 56);
    CHECK(runner.passes[14].rows[0].measured.pairs == asked);
    CHECK(runner.passes[15].rows[0].measured.pairs ==
          (asked == 1 ? 1 : 8));  // one pair tells nothing of its noise
    CHECK(runner.passes[56].rows[0].measured.pairs == (asked == 1 ? 1 : 8));
  }
}

TEST_CASE("Between looks no verdict falls: the last look's stands", "[rounds]") {
  auto results = session_of({"noisy"}, {14, 28, 56});
  FakeCrew runner(results);
  runner.work();
  const auto at_20 = runner.stored.at(20)["tuneproof"]["pairs"][0];
  CHECK(at_20["round_log_ratios"].size() == 20);
  CHECK(at_20["result"]["rounds"] == 14);
  CHECK(at_20["result"]["ratio"] == runner.stored.at(14)["tuneproof"]["pairs"][0]["result"]["ratio"]);
  CHECK(runner.stored.at(13)["tuneproof"]["pairs"][0]["result"]["verdict"] == "inconclusive");
}

TEST_CASE("Results are stored after the rehearsal and after each round", "[rounds]") {
  auto results = session_of({"fast"});
  FakeCrew runner(results);
  runner.work();
  REQUIRE(runner.stored.size() >= 15);
  for (std::size_t i = 0; i < 15; ++i) CHECK(runner.stored[i]["tuneproof"]["rounds"].size() == i);
}

TEST_CASE("A row that fails in a round is failed, and left out of the rounds after it", "[rounds]") {
  auto results = session_of({"same", "dies"});
  FakeCrew runner(results);
  runner.fails = failing("dies", 6);
  runner.work();
  CHECK(results.rows[1].judged.verdict == Verdict::failed);
  CHECK(results.rows[1].stage == "worker");
  CHECK(results.rows[1].measured.samples.empty());
  CHECK(names_in(runner.passes[8]) == Names{"same"});
  CHECK(results.rows[0].judged.verdict == Verdict::no_effect);
}

TEST_CASE("A row that cannot be rehearsed is never timed", "[rounds]") {
  auto results = session_of({"dies", "same"});
  FakeCrew runner(results);
  runner.fails = [](Row& row, const Pass&) {
    if (row.name != "dies") return false;
    row.judged.verdict = Verdict::skipped;
    row.reason = "needs two sockets";
    return true;
  };
  runner.work();
  CHECK(results.rows[0].reason == "needs two sockets");
  CHECK(names_in(runner.passes[1]) == Names{"same"});
}

TEST_CASE("Rows that were skipped from the start are in no pass", "[rounds]") {
  auto results = session_of({"cuda", "same"});
  results.rows[0].judged.verdict = Verdict::skipped;
  FakeCrew runner(results);
  runner.work();
  CHECK(names_in(runner.passes[0]) == Names{"same"});
}

TEST_CASE("A session in which every row is skipped runs no pass and is stored", "[rounds]") {
  auto results = session_of({"cuda"});
  results.rows[0].judged.verdict = Verdict::skipped;
  FakeCrew runner(results);
  runner.work();
  CHECK(runner.passes.empty());
  CHECK(runner.stored.size() == 1);
}

TEST_CASE("A budget ends the session before the first look: rows cannot tell, and say why", "[rounds]") {
  auto results = session_of({"fast"});
  FakeCrew runner(results);
  runner.work({.budget = Seconds(60), .budget_text = "1m"});
  CHECK(results.rounds.size() == 5);  // the rehearsal and five rounds of 10 s
  CHECK(results.rows[0].judged.verdict == Verdict::inconclusive);
  CHECK(has_flag(results.rows[0], "only 5 of 14 rounds"));
  CHECK(results.rows[0].reason == "the budget of 1m ran out");
  CHECK(runner.stored.back()["tuneproof"]["pairs"][0]["reason"] == "the budget of 1m ran out");
}

TEST_CASE("A round that would not end in time is not begun", "[rounds]") {
  auto results = session_of({"fast"});
  FakeCrew runner(results);
  runner.work({.budget = Seconds(59), .budget_text = "59s"});
  CHECK(runner.passes.size() == 5);
}

TEST_CASE("A budget that ends between two looks leaves the verdicts of the last completed look", "[rounds]") {
  auto results = session_of({"fast", "noisy"}, {14, 28, 56});
  FakeCrew runner(results);
  runner.work({.budget = Seconds(210), .budget_text = "210s"});
  CHECK(results.rounds.size() == 20);
  CHECK(results.rows[0].judged.verdict == Verdict::helps);
  CHECK(results.rows[0].reason.empty());
  CHECK(results.rows[1].rounds == 14);
  CHECK(results.rows[1].reason == "the budget of 210s ran out");
}

TEST_CASE("A budget that is spent within a round keeps the rows that ended in it, failures too", "[rounds]") {
  auto results = session_of({"a", "b", "c"});
  FakeCrew runner(results);
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
  FakeCrew runner(results);
  runner.signal = [](const Pass& pass) { return pass.round == 4 ? std::optional(SIGINT) : std::nullopt; };
  CHECK(runner.work() == SIGINT);
  CHECK(results.rounds.size() == 4);
  CHECK(runner.stored.size() == 5);
  CHECK(has_flag(results.rows[0], "only 4 of 14 rounds"));
}

TEST_CASE("A signal within a round keeps the rows that had ended, and stores them", "[rounds]") {
  auto results = session_of({"a", "b", "c"});
  FakeCrew runner(results);
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
  FakeCrew runner(results);
  runner.rows_before_signal = 1;
  runner.signal = [](const Pass& pass) { return pass.round ? std::nullopt : std::optional(SIGINT); };
  CHECK(runner.work() == SIGINT);
  REQUIRE(runner.stored.size() == 1);
  auto resumed = results_from_json(runner.stored.back(), "r.json");
  FakeCrew second(resumed);
  second.work();
  CHECK(names_in(second.passes[0]) == Names{"b", "c"});
  CHECK(second.passes.size() == 15);
}

TEST_CASE("A round that was cut is finished first, by the rows that lack it", "[rounds]") {
  auto results = session_of({"a", "b", "c", "fast"});
  FakeCrew first(results);
  first.rows_before_signal = 1;
  first.signal = [](const Pass& pass) { return pass.round == 4 ? std::optional(SIGINT) : std::nullopt; };
  first.work();
  const auto had = names_in(first.passes.back()).front();

  auto resumed = results_from_json(first.stored.back(), "r.json");
  FakeCrew second(resumed);
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
  FakeCrew uninterrupted(whole);
  uninterrupted.fails = failing("dies", 6);
  uninterrupted.work();
  for (std::size_t file = 0; file < uninterrupted.stored.size(); file += 3) {
    auto resumed = results_from_json(uninterrupted.stored[file], "r.json");
    FakeCrew runner(resumed);
    runner.fails = uninterrupted.fails;
    runner.work();
    CHECK(outcome_of(resumed) == outcome_of(whole));
    CHECK(runner.passes.size() + 1 + file == std::max(uninterrupted.passes.size(), 1 + file));
    for (std::size_t i = 0; i < runner.passes.size(); ++i)
      CHECK(names_in(runner.passes[i]) == names_in(uninterrupted.passes[i + 1 + file]));
  }
}

TEST_CASE("A session that its budget ended is resumed like any other", "[rounds]") {
  auto results = session_of({"fast", "same"});
  FakeCrew first(results);
  first.work({.budget = Seconds(60), .budget_text = "1m"});
  auto resumed = results_from_json(first.stored.back(), "r.json");
  FakeCrew second(resumed);
  second.work();
  CHECK(resumed.rows[0].judged.verdict == Verdict::helps);
  CHECK(resumed.rows[0].reason.empty());
}

}  // namespace
}  // namespace harness::run
