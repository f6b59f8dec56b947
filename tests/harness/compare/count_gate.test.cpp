#include "tests/harness/run/fake_programs.hpp"

#include "harness/compare/contest_text.hpp"
#include "harness/compare/gate_session.hpp"
#include "harness/core/counts.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <csignal>

namespace harness::compare {
namespace {

using Catch::Matchers::ContainsSubstring;
using run::ContestBuild;

/// Two programs whose only row takes so many instructions.
struct Counted {
  double base = 2'000'000, head = 2'000'000;
  example::FakePrograms programs = {};
  std::optional<int> signal = {};
  bool none = false;  // they cannot be counted

  ContestReport gate() {
    results::Results session;
    session.session.looks = {14};
    session.rows = {example::row_named("a")};
    const auto count = [&](ContestBuild build, const std::vector<results::Row>& rows, const auto& ended) {
      for (auto row : rows) {
        const auto value = build == ContestBuild::base ? base : head;
        if (none) {
          row.judged.verdict = Verdict::skipped;
          row.reason = "two takes differ";
        } else {
          row.measured.figures = {{"instructions", std::string(instructions_unit), 5e6, value}};
        }
        ended(std::move(row));
      }
      return signal;
    };
    return {.base = {"old", "", ""},
            .head = {"new", "", ""},
            .outcome = count_gate(session, programs.launcher(), count)};
  }
};

Conclusion outcome(const ContestReport& report) { return conclusion_of(contest_ci(report)); }

TEST_CASE("equal instructions pass after one rehearsal of each program and no round", "[count]") {
  Counted counted;
  const auto report = counted.gate();
  CHECK(counted.programs.launched.size() == 2);
  CHECK(outcome(report).code == 0);
  CHECK(contest_word(report.outcome.rows[0]) == "equal instructions");
  CHECK_THAT(contest_text(report, {}), ContainsSubstring("2,000,000"));
}

TEST_CASE("more than 1 % more instructions fail, with both counts and the percentage", "[count]") {
  Counted counted{.head = 2'160'000};
  const auto report = counted.gate();
  CHECK(outcome(report).code == 2);
  CHECK(outcome(report).line == "FAILED: 1 row doing more");
  CHECK_THAT(contest_text(report, {}),
             ContainsSubstring("instructions (second side): 2,000,000 -> 2,160,000 (+8.0 %)"));
}

TEST_CASE("up to 1 % more instructions pass, and fewer are named", "[count]") {
  CHECK(outcome(Counted{.head = 2'019'000}.gate()).code == 0);
  const auto fewer = Counted{.head = 1'000'000}.gate();
  CHECK(outcome(fewer).code == 0);
  CHECK(contest_word(fewer.outcome.rows[0]) == "fewer instructions");
}

TEST_CASE("a call more fails too", "[count]") {
  Counted counted;
  counted.programs.figures = [](ContestBuild build) {
    return std::vector<Figure>{{"copies", "calls", 4, build == ContestBuild::base ? 4.0 : 5.0}};
  };
  CHECK(outcome(counted.gate()).code == 2);
}

TEST_CASE("where no instruction can be counted nothing is decided, and the row says why", "[count]") {
  const auto report = Counted{.none = true}.gate();
  CHECK(outcome(report).code == 4);
  CHECK_THAT(contest_text(report, {}), ContainsSubstring("HEAD: two takes differ"));
}

TEST_CASE("a head that cannot run the row is told from one that does more", "[count]") {
  Counted counted;
  counted.programs.fails = example::failing("a", ContestBuild::head, std::nullopt);
  CHECK(outcome(counted.gate()).code == 1);
}

TEST_CASE("a signal ends the counting with 128 and its number", "[count]") {
  CHECK(outcome(Counted{.signal = SIGINT}.gate()).code == 130);
}

}  // namespace
}  // namespace harness::compare
