#include "harness/core/setup.hpp"
#include "harness/support/run_program.hpp"

#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <string>
#include <sys/prctl.h>
#include <unistd.h>

using namespace harness;
using std::chrono::steady_clock;

TEST_CASE("a program answers one line after the other", "[support]") {
  Conversation shell({"sh", {"-c", "while read -r line; do echo \"you said $line\"; done"}, {}});
  CHECK(shell.ask("a b") == "you said a b");
  CHECK(shell.ask("c") == "you said c");
}

TEST_CASE("what a program says at once waits until it is asked for", "[support]") {
  Conversation shell({"sh", {"-c", "printf 'one\\ntwo\\n'; read -r line; echo three"}, {}});
  CHECK(shell.listen() == "one");
  CHECK(shell.listen() == "two");
  CHECK(shell.ask("x") == "three");
}

TEST_CASE("a program that ends instead of answering is an error, however it is asked", "[support]") {
  Conversation shell({"sh", {"-c", "exit 3"}, {}});
  CHECK_THROWS_AS(shell.listen(), std::runtime_error);
  CHECK_THROWS_AS(shell.ask("anybody?"), std::runtime_error);
}

TEST_CASE("a program that does not exist is refused with its name", "[support]") {
  CHECK_THROWS_AS(Conversation({"no-such-program", {}, {}}), BadInput);
}

TEST_CASE("an answer is waited for up to a time, or until a descriptor can be read", "[support]") {
  Conversation silent({"sh", {"-c", "read -r line; read -r line"}, {}});
  CHECK_FALSE(silent.ask("x", {.time = steady_clock::now() + std::chrono::milliseconds(20)}));
  const Pipe stop;
  REQUIRE(write_all(stop.write_end.get(), "x"));
  CHECK_FALSE(
      silent.ask(std::string(1 << 24, 'x'), {.fd = stop.read_end.get()}));  // more than a socket takes
}

TEST_CASE("a program that outlives its input is ended with all that it has started", "[support]") {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  pid_t left = 0;
  {
    Conversation shell({"sh", {"-c", "sleep 1000 & echo $!; wait"}, {}}, Conversation::Group::its_own);
    left = std::stoi(shell.listen());
  }
  REQUIRE(ends_by(left, steady_clock::now() + std::chrono::minutes(1)));
  CHECK(wait_for_end(left) == Exit{0, SIGKILL});
}
