#include "harness/programs/watch.hpp"

#include "harness/core/setup.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

namespace {

using namespace harness;
using namespace harness::programs;

/// What is left of the command line, and what was taken.
struct Taken {
  explicit Taken(std::vector<std::string> words) : words_(std::move(words)) {
    std::vector<char*> argv;
    for (auto& word : words_) argv.push_back(word.data());
    left = static_cast<int>(argv.size());
    command = take_command(left, argv.data());
  }
  int left = 0;
  WatchedCommand command;

 private:
  std::vector<std::string> words_;
};

TEST_CASE("the words behind the first dashes are the command", "[watch]") {
  const Taken taken({"tuneproof", "watch", "--steps", "3", "--", "uv", "run", "--", "x", ""});
  CHECK(taken.left == 4);
  CHECK(taken.command == WatchedCommand{"uv", "run", "--", "x", ""});
}

TEST_CASE("other commands keep their dashes", "[watch]") {
  const Taken taken({"tuneproof", "profile", "x", "--", "--scale", "1"});
  CHECK(taken.left == 6);
  CHECK(taken.command.empty());
}

TEST_CASE("a watch without dashes, or with nothing behind them, has no command", "[watch]") {
  CHECK(Taken({"tuneproof", "watch", "python"}).command.empty());
  CHECK(Taken({"tuneproof", "watch", "--"}).command.empty());
  CHECK_THROWS_AS(check({}, {}), BadInput);
  CHECK_THROWS_AS(check({.stray = {"python"}}, {}), BadInput);
  CHECK_NOTHROW(check({}, {"python"}));
}

TEST_CASE("the options become what is recorded", "[watch]") {
  const auto recording = recording_of({.at = "2m", .every = "1h", .recording = {.steps = 9, .memory = true}});
  CHECK(recording.steps == 9);
  CHECK(recording.after == 120);
  CHECK(recording.every == 3600);
  CHECK_FALSE(recording.skip);
  CHECK(recording_of({.recording = {.skip = 4}}).skip == 4);
}

}  // namespace
