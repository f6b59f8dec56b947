#include "harness/support/spawn.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/fd.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include <array>
#include <csignal>
#include <cstdlib>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

using namespace harness;

/// What a shell that runs this prints. Its output is short: a pipe takes all of it.
std::string said_by(const std::string& script, SpawnOptions options = {},
                    std::vector<std::string> environment = {}) {
  Pipe said;
  options.descriptors.push_back({STDOUT_FILENO, said.write_end.get()});
  CHECK(wait_for_end(spawn({"/bin/sh", {"-c", script}, std::move(environment)}, options)) == Exit{});
  std::array<char, 4096> text{};
  const auto length = read(said.read_end.get(), text.data(), text.size());
  REQUIRE(length >= 0);
  return {text.data(), static_cast<std::size_t>(length)};
}

TEST_CASE("a variable that is given stands in place of ours, once", "[spawn]") {
  setenv("TUNEPROOF_SPAWN_TEST", "ours", 1);
  const auto script = "tr '\\0' '\\n' < /proc/$$/environ | grep TUNEPROOF_SPAWN_TEST";
  CHECK(said_by(script) == "TUNEPROOF_SPAWN_TEST=ours\n");
  CHECK(said_by(script, {}, {"TUNEPROOF_SPAWN_TEST=given"}) == "TUNEPROOF_SPAWN_TEST=given\n");
  unsetenv("TUNEPROOF_SPAWN_TEST");
}

TEST_CASE("a variable whose name begins like another's leaves that one alone", "[spawn]") {
  setenv("TUNEPROOF_SPAWN_TEST", "ours", 1);
  CHECK(said_by("echo $TUNEPROOF_SPAWN_TEST", {}, {"TUNEPROOF_SPAWN=x"}) == "ours\n");
  unsetenv("TUNEPROOF_SPAWN_TEST");
}

TEST_CASE("a descriptor without one of ours is /dev/null", "[spawn]") {
  CHECK(said_by("readlink /proc/$$/fd/0", {.descriptors = {{STDIN_FILENO}}}) == "/dev/null\n");
}

TEST_CASE("descriptors from the given number on are closed", "[spawn]") {
  const Fd inherited(dup2(STDERR_FILENO, 7));
  const auto script = "test -e /proc/$$/fd/7 && echo open || echo closed";
  CHECK(said_by(script) == "open\n");
  CHECK(said_by(script, {.closed_from = 5}) == "closed\n");
}

TEST_CASE("a program is in our group, in one of its own or in a session of its own", "[spawn]") {
  const auto group_and_session = [](SpawnOptions::Group group) {
    return said_by(
        "read -r _ _ _ _ group session _ < /proc/$$/stat; test $group = $$; a=$?; test $session = $$; echo "
        "$a $?",
        {.group = group});
  };
  CHECK(group_and_session(SpawnOptions::Group::ours) == "1 1\n");
  CHECK(group_and_session(SpawnOptions::Group::its_own) == "0 1\n");
  CHECK(group_and_session(SpawnOptions::Group::its_own_session) == "0 0\n");
}

TEST_CASE("a program begins with the signals that it is given", "[spawn]") {
  sigset_t two;
  sigemptyset(&two);
  sigaddset(&two, SIGINT);
  sigaddset(&two, SIGUSR1);
  const auto script = "grep -E 'SigBlk|SigIgn' /proc/$$/status | cut -f 2";
  const auto hangup_before = std::signal(SIGHUP, SIG_IGN);
  const auto interrupt_before = std::signal(SIGINT, SIG_IGN);
  CHECK(said_by(script, {.blocked = two}).starts_with("0000000000000202\n"));
  sigset_t none;
  sigemptyset(&none);
  const auto ignored = [](const std::string& said) {
    return std::stoull(said.substr(said.find('\n') + 1), nullptr, 16) & 3U;  // SIGHUP's bit, and SIGINT's
  };
  CHECK(ignored(said_by(script, {.blocked = none})) == 3);
  CHECK(ignored(said_by(script, {.blocked = none, .default_signals = true})) == 1);  // as nohup wants it
  std::signal(SIGINT, interrupt_before);
  std::signal(SIGHUP, hangup_before);
}

TEST_CASE("only a program that is looked for on PATH needs no slash", "[spawn]") {
  CHECK(wait_for_end(spawn({"true"}, {.on_path = true})) == Exit{});
  CHECK_THROWS_WITH(spawn({"true"}, {}), "true: cannot be started: No such file or directory");
}

TEST_CASE("what the user has named and cannot be started is wrong input, else an error of the system",
          "[spawn]") {
  CHECK_THROWS_AS(spawn_named({"/nowhere"}, {}), BadInput);
  CHECK_THROWS_AS(spawn({"/nowhere"}, {}), std::system_error);
}

TEST_CASE("the end of no process is not waited for", "[spawn]") { CHECK(wait_for_end(-1) == Exit{}); }

}  // namespace
