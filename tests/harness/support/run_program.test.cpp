#include "harness/support/run_program.hpp"

#include "harness/core/setup.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include <chrono>
#include <csignal>
#include <string>
#include <unistd.h>

namespace {

using namespace harness;

TEST_CASE("a program gets its input and the variables, and gives its output", "[run_program]") {
  const auto said = run_program({"sh", {"-c", "cat; echo $GREETING"}, {"GREETING=hello"}}, "in ");
  CHECK(said.exit == Exit{});
  CHECK(said.output == "in hello\n");
}

TEST_CASE("a program belongs to the group that its caller belongs to", "[run_program]") {
  const auto said = run_program({"sh", {"-c", "cut -d ' ' -f 5 /proc/$$/stat"}, {}}, "");
  CHECK(std::stoi(said.output) == getpgrp());
}

TEST_CASE("the message says how a program ended", "[run_program]") {
  CHECK(run_program({"sh", {"-c", "exit 3"}, {}}, "").exit == Exit{3, 0});
  CHECK(run_program({"sh", {"-c", "kill -9 $$"}, {}}, "").exit == Exit{0, SIGKILL});
}

TEST_CASE("a program that does not end is ended and named", "[run_program]") {
  CHECK_THROWS_WITH(run_program({"sleep", {"1000"}, {}}, "", std::chrono::milliseconds(20)),
                    "sleep: did not end within 0 s");
  CHECK_THROWS_WITH(
      run_program({"sh", {"-c", "exec >&-; sleep 1000"}, {}}, "", std::chrono::milliseconds(20)),
      "sh: did not end within 0 s");
}

TEST_CASE("a program that is not there is named", "[run_program]") {
  CHECK_THROWS_AS(run_program({"no-such-program", {}, {}}, ""), BadInput);
}

}  // namespace
