#include "harness/run/supervisor.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <initializer_list>
#include <poll.h>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace harness::run {
using namespace results;
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

std::filesystem::path fake_worker() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "fake_worker";
}

/// What a run of the fake worker led to.
struct Heard {
  std::vector<Row> rows;
  std::vector<std::string> said;
  std::optional<int> signal;
  int workers = 0;
  Disturbance disturbance;
};

struct Wishes {
  double timeout = 60;
  std::optional<double> budget = {};
  int interrupt_at = -1;  // Ctrl-C once this many rows have begun
  int stop_after = -1;    // rows that the caller wants
};

Heard run(std::initializer_list<const char*> acts, const Wishes& wishes = {}) {
  WorkerPlan worker_plan;
  worker_plan.worker = {fake_worker(), {}, {"KINETO_LOG_LEVEL=99"}};
  for (const auto* act : acts) {
    Row row;
    row.name = std::string("fake/") + act;
    row.step = "fake";
    row.published = "2 x";
    worker_plan.rows.push_back(row);
  }
  worker_plan.row_timeout.time = Seconds(wishes.timeout);
  if (wishes.budget) worker_plan.budget = Seconds(*wishes.budget);
  Heard outcome;
  int begun = 0;
  const Reports reports{.begun =
                            [&](const std::string&) {
                              if (++begun == wishes.interrupt_at) std::raise(SIGINT);
                            },
                        .ended = [&](Row row) { outcome.rows.push_back(std::move(row)); },
                        .said = [&](const std::string& line) { outcome.said.push_back(line); },
                        .stop = [&] { return static_cast<int>(outcome.rows.size()) == wishes.stop_after; }};
  SignalWatch signals;
  const auto ran = Supervisor(worker_plan, reports, signals).run();
  outcome.signal = ran.signal;
  outcome.workers = ran.workers;
  outcome.disturbance = ran.disturbance;
  return outcome;
}

/// The first row's reason, and that the good row behind it was measured all the same.
std::string reason_before_good(const char* act, const Wishes& wishes = {}) {
  const auto outcome = run({act, "good"}, wishes);
  REQUIRE(outcome.rows.size() == 2);
  CHECK(outcome.rows[0].judged.verdict == Verdict::failed);
  CHECK(outcome.rows[0].stage == "worker");
  CHECK(outcome.rows[1].judged.verdict == Verdict::no_effect);
  return outcome.rows[0].reason;
}

TEST_CASE("One worker measures all rows that go well, in order", "[supervisor]") {
  const auto outcome = run({"good", "chatty", "good"});
  REQUIRE(outcome.rows.size() == 3);
  CHECK(outcome.rows[1].name == "fake/chatty");
  CHECK(outcome.rows[1].published == "2 x");  // the place is the one asked for, whatever the worker says
  CHECK(outcome.workers == 1);
  CHECK_FALSE(outcome.signal);
}

TEST_CASE("A crash costs the row in flight; a fresh worker takes the others", "[supervisor]") {
  CHECK(reason_before_good("segfault") == "the worker was killed by signal 11 (Segmentation fault)");
}

TEST_CASE("What a worker said last is part of the reason", "[supervisor]") {
  CHECK(reason_before_good("abort") ==
        "the worker was killed by signal 6 (Aborted); it said: terminate called after throwing an instance "
        "of 'int'");
}

TEST_CASE("A worker that exits before its result is a failed row", "[supervisor]") {
  CHECK(reason_before_good("exit0") == "the worker exited with 0 without a result");
  CHECK(reason_before_good("exit3") == "the worker exited with 3 without a result");
}

TEST_CASE("A worker that dies before its first row costs that row, not the run", "[supervisor]") {
  CHECK(reason_before_good("unstarted") == "the worker exited with 5 without a result");
}

TEST_CASE("Garbage where events are expected fails the row", "[supervisor]") {
  CHECK_THAT(reason_before_good("garbage"),
             StartsWith("the worker sent an invalid event: event: parse error at line 1"));
  CHECK_THAT(reason_before_good("wrong_type"),
             ContainsSubstring("event.row: expected an object, not number"));
}

TEST_CASE("An event that was cut off is not taken for garbage: the death is the reason", "[supervisor]") {
  CHECK(reason_before_good("cut_off") ==
        "the worker was killed by signal 9 (Killed), as the kernel does when memory runs out");
}

TEST_CASE("An event about another row fails the row in flight", "[supervisor]") {
  CHECK(reason_before_good("other") == "the worker began 'fake/other_row' out of turn");
}

TEST_CASE("What a worker prints is repeated, and never read as an event", "[supervisor]") {
  const auto outcome = run({"chatty", "good"});
  CHECK(outcome.rows.size() == 2);
  CHECK(outcome.said == std::vector<std::string>{"{\"event\":\"end\"}"});
}

TEST_CASE("A row without a result in time is failed and its worker ended", "[supervisor]") {
  CHECK(reason_before_good("hang", {.timeout = 0.3}) == "no result within 5m");
}

TEST_CASE("A worker that closes its streams and stays is ended by the timeout", "[supervisor]") {
  CHECK(reason_before_good("deaf", {.timeout = 0.3}) == "no result within 5m");
}

TEST_CASE("A worker that ends early in good order is replaced, and no row is lost", "[supervisor]") {
  const auto outcome = run({"last", "good"});
  REQUIRE(outcome.rows.size() == 2);
  CHECK(outcome.rows[1].judged.verdict == Verdict::no_effect);
}

TEST_CASE("Wrong input ends the whole run with its sentence", "[supervisor]") {
  CHECK_THROWS_WITH(run({"good", "bad_input", "good"}), "a.csv:3: no number");
}

TEST_CASE("A spent budget leaves the rows that have not begun as they are", "[supervisor]") {
  const auto outcome = run({"good", "good"}, {.budget = 1e-9});
  CHECK(outcome.rows.empty());
  CHECK(outcome.workers == 0);
}

TEST_CASE("What disturbed the workers of one pass is added up", "[supervisor]") {
  const auto outcome = run({"good", "last", "good"});
  CHECK(outcome.workers == 2);
  CHECK(outcome.disturbance.involuntary_switches == 2);
  CHECK(outcome.disturbance.canary_seconds == std::vector{0.005});
  CHECK(outcome.disturbance.slowdowns == 4);
}

TEST_CASE("The worker gets what is left of the budget, in seconds", "[supervisor]") {
  const auto outcome = run({"good"}, {.budget = 5000.4});
  REQUIRE(outcome.said.size() == 1);
  CHECK(outcome.said[0] == "budget 5000 s");
}

TEST_CASE("Ctrl-C keeps the finished rows and ends the worker", "[supervisor]") {
  const auto outcome = run({"good", "hang", "good"}, {.interrupt_at = 2});
  CHECK(outcome.signal == SIGINT);
  REQUIRE(outcome.rows.size() == 1);
  CHECK(outcome.rows[0].name == "fake/good");
}

TEST_CASE("Rows that nobody wants any more are not measured", "[supervisor]") {
  const auto outcome = run({"good", "good", "hang"}, {.stop_after = 2});
  CHECK(outcome.rows.size() == 2);
  CHECK_FALSE(outcome.signal);
}

/// True once the process has ended, which may take a moment after the signal.
bool ends(int pid) {
  const Fd process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  if (process.get() < 0) return errno == ESRCH;
  pollfd ended{process.get(), POLLIN, 0};
  return poll(&ended, 1, 20000) == 1;
}

TEST_CASE("What a worker has started ends with it", "[supervisor]") {
  for (const auto* act : {"grandchild", "grandchild_dies", "stray", "stray_dies"}) {
    const auto outcome = run({act});
    REQUIRE(outcome.said.size() == 1);
    const auto pid = std::stoi(outcome.said[0].substr(outcome.said[0].find(' ')));
    CHECK(ends(pid));
  }
}

TEST_CASE("The worker's environment has the additions", "[supervisor]") {
  CHECK(run({"environment"}).said == std::vector<std::string>{"KINETO_LOG_LEVEL=99"});
}

}  // namespace
}  // namespace harness::run
