// What main.cpp hands to each command. A command's `add_...` declares its arguments on a subcommand and sets
// `chosen` when the user names it; main.cpp then runs what was chosen and returns its exit code.
#pragma once

#include "harness/cli/catalogue.hpp"

#include <filesystem>
#include <functional>
#include <span>
#include <string_view>

namespace CLI {
class App;
}

namespace harness {

/// The source file that a step was compiled from, embedded when the program was built.
struct StepSource {
  std::string_view step;  // the step's id
  std::string_view file;  // relative to the project
  std::string_view text;
};

struct Program {
  Catalogue catalogue;
  std::span<const StepSource> sources;
  std::filesystem::path worker;  // tuneproof-worker, beside this program
};

/// The exit code is what it returns; BadInput and other exceptions are worded by main.cpp.
using Action = std::function<int()>;

}  // namespace harness
