#include "harness/support/conversation.hpp"

#include "harness/core/setup.hpp"

#include <catch2/catch_test_macros.hpp>

#include <csignal>
#include <stdexcept>

using namespace harness;

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
