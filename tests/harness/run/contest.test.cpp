#include "harness/run/contest.hpp"

#include "tests/harness/run/fake_programs.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <set>

namespace harness::run {
using namespace results;
namespace {

using namespace example;

std::vector<Row> run(FakePrograms& programs, const Pass& pass, std::uint64_t seed = 7) {
  std::vector<Row> rows;
  Contest(seed, programs.launcher()).run(pass, [&](Row row) { rows.push_back(std::move(row)); });
  return rows;
}

std::vector<ContestBuild> builds_of(const FakePrograms& programs) {
  std::vector<ContestBuild> builds;
  for (const auto& launched : programs.launched) builds.push_back(launched.process.build);
  return builds;
}

TEST_CASE("A round is base, head, head, base or its mirror, by coin", "[contest]") {
  std::set<ContestBuild> first;
  for (int round = 0; round < 40; ++round) {
    const auto order = contest_order(7, round);
    CHECK(order[0] == order[3]);
    CHECK(order[1] == order[2]);
    CHECK(order[0] != order[1]);
    CHECK(order == contest_order(7, round));
    first.insert(order[0]);
  }
  CHECK(first.size() == 2);
}

TEST_CASE("A machine that gets slower at a constant pace favours neither program", "[contest]") {
  FakePrograms programs;
  programs.seconds = [&](const Launched&, const Row&, Form) {
    return std::exp(0.05 * static_cast<double>(programs.launched.size()));
  };
  for (int round = 0; round < 14; ++round) {
    const auto rows = run(programs, pass_of({"a"}, round));
    REQUIRE(rows.size() == 1);
    CHECK(std::abs(rows[0].measured.log_ratios.at(0)) < 1e-12);
  }
}

TEST_CASE("A round gives a row one unit, ln(head / base) of its optimized form", "[contest]") {
  FakePrograms programs;
  programs.seconds = [](const Launched& now, const Row&, Form form) {
    const auto slow = now.process.build == ContestBuild::head && form == Form::optimized;
    return slow ? 1.12 : 1.0;
  };
  Contest contest(7, programs.launcher());
  Row row;
  const auto outcome = contest.run(pass_of({"a"}, 3), [&](Row ended) { row = std::move(ended); });
  REQUIRE(row.measured.log_ratios.size() == 1);
  CHECK(row.measured.log_ratios[0] == Catch::Approx(std::log(1.12)));
  CHECK(row.measured.samples.at(0).seconds == Catch::Approx(1.0));   // base
  CHECK(row.measured.samples.at(1).seconds == Catch::Approx(1.12));  // head
  CHECK(contest.besides("a").control == std::vector<double>{0});
  CHECK(row.row_seconds == 40);
  CHECK(outcome.workers == 4);
  CHECK(outcome.disturbance.involuntary_switches == 8);
}

TEST_CASE("All four processes of a round take the same rows in the same order, with the session's seed",
          "[contest]") {
  FakePrograms programs;
  run(programs, pass_of({"c", "a", "b"}, 0), 99);
  REQUIRE(programs.launched.size() == 4);
  for (const auto& launched : programs.launched) {
    CHECK(launched.process.seed == 99);
    REQUIRE(launched.pass.rows.size() == 3);
    CHECK(launched.pass.rows[0].name == "c");
    CHECK(launched.pass.rows[2].name == "b");
  }
}

TEST_CASE("Both programs rehearse, and agree on the smaller number of runs", "[contest]") {
  FakePrograms programs;
  programs.iterations = [](ContestBuild build) { return build == ContestBuild::base ? 40 : 30; };
  programs.figures = [](ContestBuild build) {
    return std::vector<Figure>{{"copies", "calls", 1, build == ContestBuild::base ? 2.0 : 3.0}};
  };
  Contest contest(7, programs.launcher());
  Row row;
  contest.run(pass_of({"a"}, {}), [&](Row ended) { row = std::move(ended); });
  CHECK(builds_of(programs) == std::vector{ContestBuild::base, ContestBuild::head});
  CHECK(row.measured.iterations == 30);
  CHECK(contest.besides("a").base.at(0).optimized == 2);
  CHECK(contest.besides("a").head.at(0).optimized == 3);
}

TEST_CASE("A row that one program cannot run ends with that program's reason; the others go on",
          "[contest]") {
  FakePrograms programs;
  programs.fails = failing("dies", ContestBuild::head, 2);
  const auto rows = run(programs, pass_of({"dies", "a"}, 2));
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].judged.verdict == Verdict::failed);
  CHECK(rows[0].reason == "HEAD: the worker was killed by signal 11 (Segmentation fault)");
  CHECK(rows[1].measured.log_ratios.size() == 1);
  CHECK(programs.launched.back().pass.rows.size() == 1);
}

TEST_CASE("What neither program can run is said of both", "[contest]") {
  FakePrograms programs;
  programs.fails = [](const Launched&, Row& row) {
    row.judged.verdict = Verdict::skipped;
    row.reason = "needs two sockets";
    return true;
  };
  const auto rows = run(programs, pass_of({"a"}, {}));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].reason == "BASE and HEAD: needs two sockets");
}

TEST_CASE("A row that is about memory stays one, with its figure", "[contest]") {
  FakePrograms programs;
  programs.statistic = [](ContestBuild) { return Statistic::figure; };
  programs.figures = [](ContestBuild) { return std::vector<Figure>{{"peak memory", "MiB", 8, 4}}; };
  const auto rows = run(programs, pass_of({"a"}, std::nullopt));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].measured.statistic == Statistic::figure);
  CHECK(rows[0].measured.figures.at(0).unit == "MiB");
}

TEST_CASE("Programs that judge a row by different figures are not compared by it", "[contest]") {
  FakePrograms programs;
  programs.statistic = [](ContestBuild build) {
    return build == ContestBuild::base ? Statistic::median : Statistic::tail;
  };
  const auto rows = run(programs, pass_of({"a"}, std::nullopt));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].judged.verdict == Verdict::skipped);
  CHECK(rows[0].reason == "BASE and HEAD judge this row by different figures");
}

TEST_CASE("A process that ends a row without a timed slot fails it", "[contest]") {
  FakePrograms programs;
  programs.fails = [](const Launched& now, Row&) {
    return now.process.number == 2;
  };  // sends it back as it came
  const auto rows = run(programs, pass_of({"a"}, 0));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].judged.verdict == Verdict::failed);
}

TEST_CASE("A signal ends a pass at once, and none of its rows has ended", "[contest]") {
  FakePrograms programs;
  programs.signal = [](const Launched& now) {
    return now.process.number == 1 ? std::optional(SIGINT) : std::nullopt;
  };
  Contest contest(7, programs.launcher());
  int ended = 0;
  const auto outcome = contest.run(pass_of({"a"}, 0), [&](const Row&) { ++ended; });
  CHECK(outcome.signal == SIGINT);
  CHECK(programs.launched.size() == 2);
  CHECK(ended == 0);
}

}  // namespace
}  // namespace harness::run
