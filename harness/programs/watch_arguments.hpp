// The command line of `tuneproof watch`.
#pragma once

#include "harness/programs/recorder.hpp"

namespace CLI {
class App;
}

namespace harness::programs {

/// The words behind `--` as they were given.
using WatchedCommand = std::vector<std::string>;

struct WatchArguments {
  std::vector<std::string> stray = {};  // words before `--`
  std::string at = {}, every = {}, against = {}, json = {}, html = {}, out = "traces", within = "90s";
  std::vector<std::string> evidence = {};
  Recording recording = {};  // but for `at` and `every`
  bool measure = false;
};

/// Declares the options on the command.
void declare(CLI::App& command, WatchArguments& arguments);

/// What the options ask to be recorded. Throws BadInput.
Recording recording_of(const WatchArguments& arguments);

/// Throws BadInput where there is no command, or an option asks for what cannot be.
void check(const WatchArguments& arguments, const WatchedCommand& command);

}  // namespace harness::programs
