#include "harness/libtorch/team.hpp"

#include "tests/harness/libtorch/cpus_needed.hpp"

#include "harness/core/same_answer.hpp"

#include <ATen/Parallel.h>
#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "trouble.hpp"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace harness;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

constexpr auto long_enough = 60s;

std::shared_ptr<Team> team_of(std::string_view does, std::string_view at,
                              std::chrono::milliseconds patience = long_enough, int size = 2) {
  const Setup setup;
  return std::make_shared<Team>(trouble::row(does, at), setup, TeamPlan{.size = size, .patience = patience});
}

/// What the harness does with a set.
void use(const Trial& trial) {
  trial.clear();
  trial.warm_up(Form::naive);
  trial.naive();
  trial.answer(Form::naive);
}

bool is_gone(pid_t process) { return kill(process, 0) != 0 && errno == ESRCH; }

TEST_CASE("two ranks add up what each has, and both know the sum", "[ranks]") {
  need_cpus(2);
  const auto team = team_of("nothing", "run");
  Setup setup;
  const auto trial = prepare_in(team, setup);
  trial.clear();
  CHECK(std::get<std::vector<float>>(trial.answer(Form::naive)) == std::vector{-1.F});
  trial.naive();
  CHECK(std::get<std::vector<float>>(trial.answer(Form::naive)) == std::vector{3.F});
}

TEST_CASE("a team of one needs no other process", "[ranks]") {
  const auto team = team_of("nothing", "run", long_enough, 1);
  CHECK(team->processes().empty());
  Setup setup;
  const auto trial = prepare_in(team, setup);
  trial.clear();
  trial.optimized();
  CHECK(std::get<std::vector<float>>(trial.answer(Form::optimized)) == std::vector{1.F});
}

TEST_CASE("both sets of a row live in the same processes", "[ranks]") {
  need_cpus(2);
  const auto team = team_of("nothing", "run");
  Setup setup;
  const auto one = prepare_in(team, setup);
  const auto other = prepare_in(team, setup);
  one.clear();
  other.clear();
  other.naive();
  CHECK(std::get<std::vector<float>>(other.answer(Form::naive)) == std::vector{3.F});
  CHECK(std::get<std::vector<float>>(one.answer(Form::naive)) == std::vector{-1.F});
}

TEST_CASE("each rank's own time stands among the figures", "[ranks]") {
  need_cpus(2);
  const auto team = team_of("nothing", "run");
  Setup setup;
  const auto trial = prepare_in(team, setup);
  trial.clear();
  trial.naive();
  trial.optimized();
  const auto figures = trial.figures();
  REQUIRE(figures.size() == 4);
  CHECK(figures[0].name == "rank 0, time of a run");
  CHECK(figures[2].name == "rank 1, time of a run");
  CHECK(figures[2].unit == "s");
  CHECK(figures[2].naive > 0);
  CHECK(figures[2].optimized > 0);
}

TEST_CASE("a team leaves neither processes nor its hold on the worker's threads and CPUs", "[ranks]") {
  need_cpus(2);
  const auto cpus = cpus_of_this_thread();
  const auto threads = at::get_num_threads();
  std::vector<pid_t> processes;
  {
    const auto team = team_of("nothing", "run");
    processes = team->processes();
    REQUIRE(processes.size() == 1);
    CHECK_FALSE(is_gone(processes[0]));
    CHECK(cpus_of_this_thread().size() < cpus.size());
    CHECK(at::get_num_threads() == 1);
  }
  CHECK(is_gone(processes[0]));
  CHECK(cpus_of_this_thread() == cpus);
  CHECK(at::get_num_threads() == threads);
}

TEST_CASE("what a rank does wrong is said of that rank, whenever it happens", "[ranks]") {
  need_cpus(2);
  struct Case {
    const char* does;
    const char* sentence;
  };
  for (const auto& wrong :
       {Case{"killed", "was killed by signal 9 (Killed), as the kernel does when memory runs out"},
        Case{"exits", "exited with 3"}, Case{"throws", "rank 1: made up"},
        Case{"starves", "rank 1: ran out of memory"}})
    for (const auto* at : {"prepare", "clear", "warm_up", "run", "answer"}) {
      INFO(wrong.does << " at " << at);
      const auto team = team_of(wrong.does, at);
      const auto processes = team->processes();
      Setup setup;
      CHECK_THROWS_WITH(use(prepare_in(team, setup)),
                        ContainsSubstring("rank 1") && ContainsSubstring(wrong.sentence));
      CHECK(is_gone(processes[0]));
    }
}

TEST_CASE("a rank that is stopped is named when patience ends", "[ranks]") {
  need_cpus(2);
  for (const auto* at : {"run", "answer"}) {
    INFO(at);
    const auto team = team_of("stopped", at, 2s);
    const auto processes = team->processes();
    Setup setup;
    CHECK_THROWS_WITH(use(prepare_in(team, setup)),
                      ContainsSubstring("is stopped and did not finish within 2 s"));
    CHECK(is_gone(processes[0]));
  }
}

TEST_CASE("a rank that computes something else disagrees by its number", "[ranks]") {
  need_cpus(2);
  const auto team = team_of("answers_wrongly", "answer");
  Setup setup;
  CHECK_THROWS_MATCHES(
      use(prepare_in(team, setup)), Disagreement,
      MessageMatches(ContainsSubstring("rank 1 disagrees with rank 0 about the answer of the first side")));
}

TEST_CASE("a rank that answers wrongly from some moment on is found at that moment", "[ranks]") {
  need_cpus(2);
  for (std::uint64_t moment = 0; moment < 10; ++moment) {
    INFO(moment);
    Setup setup;
    setup.seed = moment;
    const auto team = std::make_shared<Team>(trouble::row("answers_wrongly", "answer"), setup,
                                             TeamPlan{.size = 2, .patience = long_enough});
    const auto trial = prepare_in(team, setup);
    trial.naive();
    for (std::uint64_t i = 0; i < moment; ++i) CHECK_NOTHROW(trial.answer(Form::optimized));
    CHECK_THROWS_AS(trial.answer(Form::optimized), Disagreement);
  }
}

TEST_CASE("a rank that cannot run the row has it skipped", "[ranks]") {
  need_cpus(2);
  const auto team = team_of("skips", "clear");
  Setup setup;
  CHECK_THROWS_AS(use(prepare_in(team, setup)), Skip);
}

TEST_CASE("a broken team stays broken", "[ranks]") {
  need_cpus(2);
  const auto team = team_of("throws", "run");
  Setup setup;
  const auto trial = prepare_in(team, setup);
  CHECK_THROWS_WITH(trial.naive(), ContainsSubstring("made up"));
  CHECK_THROWS_WITH(trial.clear(), ContainsSubstring("made up"));
}

TEST_CASE("of three ranks the one that died is named, not the one that lost it", "[ranks]") {
  need_cpus(3);
  const auto team = team_of("killed", "run", long_enough, 3);
  Setup setup;
  CHECK_THROWS_WITH(use(prepare_in(team, setup)), ContainsSubstring("rank 1 (process"));
}

TEST_CASE("more ranks than CPUs are refused", "[ranks]") {
  CHECK_THROWS_AS(team_of("nothing", "run", long_enough, 1024), Skip);
}

TEST_CASE("a program that is no rank is noticed at once", "[ranks]") {
  need_cpus(2);
  const Setup setup;
  CHECK_THROWS_WITH(Team(trouble::row("nothing", "run"), setup,
                         TeamPlan{.size = 2, .patience = long_enough, .executable = "/bin/false"}),
                    ContainsSubstring("rank 1") && ContainsSubstring("exited with 1"));
}

}  // namespace
