// What continuous integration reads, as one report in three forms: JUnit,
// Markdown, GitHub's annotations; and the options --junit, --markdown and
// --annotations that ask for them, which several commands share.
#pragma once

#include "harness/core/verdict.hpp"
#include "harness/support/replace_file.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace harness::compare {

/// What a row means to CI.
enum class Fate { pass, skipped, failure, error };

/// Of a verdict that fails nothing by itself.
Fate fate_of(Verdict verdict);

struct CiCase {
  std::string group = {};  // the step
  std::string name = {};
  Fate fate = Fate::pass;
  std::string verdict = {};  // as printed: "slower", "cannot tell"
  std::string change = {};   // "+3.1 % [+1.0, +5.2]"; empty without
  std::string message = {};  // why it is not a pass, or what is to be known about it; may be empty
  double seconds = 0;        // what the row took, 0 where that is not known
  std::vector<std::pair<std::string, std::string>> properties = {};
};

/// A row that only BASE has.
CiCase missing_row(const std::string& name, bool strict);

struct CiReport {
  std::string title = {};
  std::vector<CiCase> rows = {};
  std::vector<std::string> notes = {};
};

/// JUnit's XML: one testcase per row.
std::string junit_text(const CiReport& report);
/// A table for a job's summary or a comment.
std::string markdown_text(const CiReport& report);
/// One line per row that failed or leans: "::error title=...::...".
std::string annotations_text(const CiReport& report);

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
  /// after all, as standard error reports.
  int write(const CiReport& report, int code) const;

 private:
  std::optional<ReplaceFile> junit_, markdown_;
  std::string summary_;  // the file of $GITHUB_STEP_SUMMARY; empty where none is to be written
  bool annotations_;
};

}  // namespace harness::compare
