#include "harness/support/child.hpp"

#include "harness/core/setup.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include <cerrno>
#include <csignal>
#include <poll.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace harness::inline support {
namespace {

constexpr std::chrono::milliseconds long_enough{20000};

Child shell(const std::string& script) { return Child({"/bin/sh", {"-c", script}, {}}); }

TEST_CASE("A child's end is a code or a signal", "[child]") {
  CHECK(shell("exit 7").wait(long_enough) == Exit{7, 0});
  CHECK(shell("kill -TERM $$").wait(long_enough) == Exit{0, SIGTERM});
}

TEST_CASE("An end is worded with the signal's name", "[child]") {
  CHECK(to_string(Exit{1, 0}) == "exited with 1");
  CHECK(to_string(Exit{0, SIGSEGV}) == "was killed by signal 11 (Segmentation fault)");
}

TEST_CASE("A child has its streams, and a group of its own", "[child]") {
  auto child = shell("echo seen >&3; test \"$(ps -o pgid= -p $$ | tr -d ' ')\" = $$");
  CHECK(child.wait(long_enough) == Exit{});
  char text[8] = {};
  CHECK(read(child.events(), text, sizeof text) == 5);
  CHECK(std::string(text) == "seen\n");
}

TEST_CASE("A killed child is gone", "[child]") {
  auto child = shell("while :; do sleep 1000; done");
  child.kill();
  CHECK(child.poll() == Exit{0, SIGKILL});
}

TEST_CASE("A program that is not there is an error that names it", "[child]") {
  CHECK_THROWS_WITH(Child({"/no/such/program", {}, {}}),
                    "/no/such/program: cannot be started: No such file or directory");
}

TEST_CASE("What a child has started in a session of its own is gone with it, and what that has started",
          "[child]") {
  // The inner one says its id when both have left the child's session.
  auto child = shell("setsid sh -c 'setsid sh -c \"echo \\$\\$ >&3; exec sleep 1000\" & wait' & wait");
  pollfd events{child.events(), POLLIN, 0};
  REQUIRE(poll(&events, 1, static_cast<int>(long_enough.count())) == 1);
  char text[32] = {};
  REQUIRE(read(child.events(), text, sizeof text - 1) > 1);
  child.kill();
  const auto session = static_cast<pid_t>(std::stol(text));
  CHECK(kill(session, 0) == -1);
  CHECK(errno == ESRCH);
}

TEST_CASE("Children that were there before are left alone when a child ends", "[child]") {
  const auto job = fork();
  if (job == 0) {
    for (;;) pause();
  }
  CHECK(shell("exit 0").wait(long_enough) == Exit{});
  CHECK(waitpid(job, nullptr, WNOHANG) == 0);
  kill(job, SIGKILL);
  waitpid(job, nullptr, 0);
}

}  // namespace
}  // namespace harness::inline support
