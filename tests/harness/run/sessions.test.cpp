#include "harness/run/rounds.hpp"
#include "harness/run/self_test.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <csignal>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace harness;
using namespace harness::results;
using namespace harness::run;

namespace {

Row blank(const std::string& name) {
  Row row;
  row.name = row.step = name;
  row.delta = 0.5;
  return row;
}

/// Sessions whose workers are made up: each round takes 1 s, and equal forms are equal.
struct FakeSessions {
  SelfTest test{.seed = 7};
  SessionsPlan plan;
  double now = 0;
  int stored = 0;
  int signal_in = -1;  // session
  std::vector<Planted> planted;
  std::set<std::uint64_t> seeds;
  std::map<std::string, std::vector<int>> taken;  // sessions of each pair
  std::function<void(Row&, const SessionView&)> spoil = [](Row&, const SessionView&) {};

  explicit FakeSessions(const std::vector<std::string>& names, int sessions = 6) {
    plan.sessions = sessions;
    for (const auto& name : names) {
      plan.rows.push_back(blank(name));
      test.pairs.push_back({.name = name});
    }
  }

  std::optional<int> take(Results& results, const SessionView& view) {
    planted.push_back(view.planted);
    seeds.insert(results.session.seed);
    if (view.number == signal_in) return SIGINT;
    const auto plant = plant_of(view.planted, test.planted);
    const Runner runner{.run =
                            [&](const Pass& pass, const std::function<void(Row)>& ended) {
                              now += 1;
                              for (auto row : pass.rows) {
                                if (!pass.round) taken[row.name].push_back(view.number);
                                row.measured.iterations = 3;
                                row.measured.log_ratios.assign(
                                    pass.round ? 1 : 0,
                                    std::log1p(plant.slow_optimized) - std::log1p(plant.slow_naive));
                                spoil(row, view);
                                ended(std::move(row));
                              }
                              return PassOutcome{.workers = 1};
                            },
                        .clock = [this] { return Seconds(now); },
                        .store = [] {}};
    const Limits unlimited;
    return Rounds(results, unlimited, runner).run();
  }
  std::optional<int> run() {
    return run_sessions(
        test, plan,
        {.run = [this](Results& results, const SessionView& view) { return take(results, view); },
         .clock = [this] { return Seconds(now); },
         .store = [this] { ++stored; }});
  }
};

/// Ends the row as the worker would.
auto ending(const std::string& name, Verdict verdict, bool planted_only) {
  return [=](Row& row, const SessionView& view) {
    if (row.name != name || (planted_only && view.planted == Planted::nothing)) return;
    row.judged.verdict = verdict;
    row.reason = "as made up";
  };
}

}  // namespace

TEST_CASE("six sessions have four A/A and a slowdown of each form between them", "[sessions]") {
  const auto n = Planted::nothing;
  FakeSessions sessions({"a"});
  CHECK_FALSE(sessions.run());
  CHECK(sessions.planted == std::vector{n, Planted::slower, n, n, Planted::faster, n});
  CHECK(sessions.stored == 6);
  CHECK(sessions.seeds.size() == 6);
}

TEST_CASE("what was planted is what the sessions say", "[sessions]") {
  FakeSessions sessions({"a", "b"});
  sessions.run();
  for (const auto& pair : sessions.test.pairs) {
    REQUIRE(pair.sessions.size() == 6);
    for (const auto& session : pair.sessions) CHECK(session.verdict == truth_of(session.planted));
    CHECK(pair.aa_log_ratios.size() == std::size_t{4} * 3);  // each decided at the first early look
  }
  CHECK(sessions.test.pairs[0].sessions[1].ratio == Catch::Approx(1.05));
  CHECK(sessions.test.pairs[0].sessions[4].ratio == Catch::Approx(1 / 1.05));
}

TEST_CASE("the self-test's own delta counts, not the row's", "[sessions]") {
  FakeSessions sessions({"a"}, 2);  // the row's margin of 50 % hides 5 %
  sessions.run();
  CHECK(sessions.test.pairs[0].sessions[1].verdict == Verdict::hurts);
}

TEST_CASE("sessions are as many as the proofs need", "[sessions]") {
  for (const auto pairs : {1, 2, 20, 25, 50, 400}) {
    const auto sessions = sessions_for(pairs);
    int equal = 0;
    for (int i = 0; i < sessions; ++i) equal += planted_in(i) == Planted::nothing ? pairs : 0;
    CHECK(equal >= 299);
    CHECK(sessions * pairs - equal >= 2 * 59);
  }
  CHECK(sessions_for(25) == 18);
  CHECK(sessions_for(0) == 0);
}

TEST_CASE("a signal ends the self-test and keeps the sessions that were complete", "[sessions]") {
  FakeSessions sessions({"a"});
  sessions.signal_in = 2;
  CHECK(sessions.run() == SIGINT);
  CHECK(sessions.test.pairs[0].sessions.size() == 2);
  CHECK(sessions.stored == 2);
}

TEST_CASE("no session begins that the budget would not see the end of", "[sessions]") {
  FakeSessions sessions({"a"}, 0);
  sessions.plan.budget = Seconds(50);  // 15 s a planted session; equal forms are settled after 4 s
  CHECK_FALSE(sessions.run());
  CHECK(sessions.planted.size() == 5);
  CHECK(sessions.test.seconds == 4 + 15 + 4 + 4 + 15);
}

TEST_CASE("the first session is taken whatever the budget", "[sessions]") {
  FakeSessions sessions({"a"}, 0);
  sessions.plan.budget = Seconds(1);
  sessions.run();
  CHECK(sessions.test.pairs[0].sessions.size() == 1);
}

TEST_CASE("a pair that fails is not tried again, the others go on", "[sessions]") {
  FakeSessions sessions({"a", "b"});
  sessions.spoil = ending("b", Verdict::failed, false);
  sessions.run();
  CHECK(sessions.taken["a"].size() == 6);
  CHECK(sessions.taken["b"] == std::vector{0});
  CHECK(sessions.test.pairs[1].failed);
  CHECK(sessions.test.pairs[1].reason == "as made up");
}

TEST_CASE("a pair that cannot be slowed stays an A/A pair", "[sessions]") {
  FakeSessions sessions({"a", "b"});
  sessions.spoil = ending("b", Verdict::skipped, true);
  sessions.run();
  CHECK(sessions.taken["b"] == std::vector{0, 1, 2, 3, 5});
  CHECK_FALSE(sessions.test.pairs[1].failed);
  CHECK(sessions.test.pairs[1].sessions.size() == 4);
}

TEST_CASE("a sessions without a pair left ends", "[sessions]") {
  FakeSessions sessions({"a"}, 0);  // no budget either
  sessions.spoil = ending("a", Verdict::skipped, false);
  CHECK_FALSE(sessions.run());
  CHECK(sessions.planted.size() == 1);
}
