// --junit, --markdown and --annotations, shared by the commands that have something to tell CI.
#pragma once

#include "harness/report/ci.hpp"

#include <string>

namespace CLI {
class App;
}

namespace harness {

struct CiArguments {
  std::string junit;
  std::string markdown;
  bool annotations = false;
};

/// Declares the three options on the command.
void declare(CLI::App& command, CiArguments& arguments);

/// Writes what was asked for. Markdown also goes behind what $GITHUB_STEP_SUMMARY names. Throws BadInput
/// where a file cannot be written.
void write_ci(const CiReport& report, const CiArguments& arguments);

}  // namespace harness
