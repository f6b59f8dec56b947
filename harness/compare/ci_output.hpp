// --junit, --markdown and --annotations, shared by the commands that have something to tell CI.
#pragma once

#include "harness/compare/ci.hpp"
#include "harness/support/replace_file.hpp"

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace harness::compare {

struct CiArguments {
  std::string junit;
  std::string markdown;
  bool annotations = false;
};

/// Declares the three options on the command.
void declare(CLI::App& command, CiArguments& arguments);

/// The files that were asked for. Markdown also goes behind what $GITHUB_STEP_SUMMARY names.
class CiOutput {
 public:
  /// Finds out at once whether all of them can be written; throws BadInput where one cannot.
  explicit CiOutput(const CiArguments& arguments);

  /// Writes them. Returns the program's exit code: `code`, but 1 instead of 0 where one could not be written
  /// after all, which is said on standard error.
  int write(const CiReport& report, int code) const;

 private:
  std::optional<ReplaceFile> junit_, markdown_;
  std::string summary_;  // the file of $GITHUB_STEP_SUMMARY; empty where none is to be written
  bool annotations_;
};

}  // namespace harness::compare
