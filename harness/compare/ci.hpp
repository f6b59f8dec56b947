// What continuous integration reads, as one report in three forms: JUnit,
// Markdown, GitHub's annotations; and the options --junit, --markdown and
// --annotations that ask for them, which several commands share.
#pragma once

#include "harness/core/verdict.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/support/signals.hpp"

namespace CLI {
class App;
}  // namespace CLI

namespace harness::compare {

/// What a row means to CI: exit code, JUnit, Markdown, annotations and the last line all follow from it.
enum class Fate {
  pass,       // decided, and nothing got worse
  skipped,    // neither side can run it
  undecided,  // measured, and nothing can be said
  unsettled,  // it looks slower, and nothing has settled whether it is
  missing,    // only BASE has it
  advice,     // worse in two runs at different times, which other causes may have
  failure,    // slower for certain, or a count rose
  error       // it could not be measured or compared
};

/// Of a verdict that fails nothing by itself.
Fate fate_of(Verdict verdict);

/// How much a comparison asks for.
struct Demands {
  bool strict = false;           // advice fails, and so do too many undecided rows
  bool allow_missing = false;    // rows may vanish
  bool allow_undecided = false;  // nothing can be decided: differences were allowed
};

struct CiCase {
  std::string group = {};  // the step
  std::string name = {};
  Fate fate = Fate::pass;
  std::string verdict = {};             // as printed: "slower", "cannot tell"; it follows "2 rows"
  std::string before = {}, after = {};  // what was compared, as printed: "12.3 ms"; empty without
  std::string change = {};              // "+3.1 % [+1.0, +5.2]"; empty without
  std::string message = {};             // why it is not a pass, or what is to be known about it; may be empty
  double seconds = 0;                   // what the row took, 0 where that is not known
  std::vector<std::pair<std::string, std::string>> properties = {};
};

/// Adds the change of a results row as it is printed: as text, and its figures as properties with readable
/// names.
void add_change(CiCase& row, std::string_view row_name, double ratio, const std::optional<Interval>& interval,
                double margin);
/// Adds one property.
void add_figure(CiCase& row, std::string name, double value);

/// A row that only BASE has.
CiCase missing_row(const std::string& name);

struct CiReport {
  std::string title = {};
  std::vector<CiCase> rows = {};
  std::vector<std::string> notes = {};
  Demands demands = {};
  std::vector<std::string> refusals = {};  // why the two may not be compared; then there are no rows
  std::vector<std::string> errors = {};    // what went wrong beside the rows: each fails the report
  std::optional<int> signal = {};          // that ended the measurement; then nothing passes
};

/// The exit code (docs/measuring.md 12), and what it says in a line: "FAILED: 2 rows slower".
struct Conclusion {
  int code = 0;
  std::string line;
};
Conclusion conclusion_of(const CiReport& report);

/// The report of a job that is red, for those who see its rows and no exit code: where no row alone has made
/// it so, the undecided ones have; where there are none of these, the conclusion is a row.
CiReport with_reason(CiReport report);

/// JUnit's XML: one testcase per row.
std::string junit_text(const CiReport& report);
/// A table for a job's summary or a comment.
std::string markdown_text(const CiReport& report);
/// The same, and the conclusion below it.
std::string page_text(const CiReport& report);
/// One line per row that failed or leans: "::error title=...::...".
std::string annotations_text(const CiReport& report);

/// Fails the file of --junit where the command line of `versus` or `compare` could not be read: an option
/// without its value, say, as an unset variable of a script leaves it. Does nothing where no such file is
/// named, or where something else is named alike.
void report_wrong_use(std::span<char* const> arguments, const std::string& sentence);

struct CiArguments {
  std::string junit = {};
  std::string markdown = {};
  bool annotations = false;
};

/// Declares the three options on the command.
void declare(CLI::App& command, CiArguments& arguments);

/// The files that were asked for; annotations go to standard error, which GitHub reads too. Markdown also
/// goes behind what $GITHUB_STEP_SUMMARY names.
class CiOutput {
 public:
  /// Finds out at once whether all of them can be written; throws BadInput where one cannot, and JUnit's says
  /// so.
  explicit CiOutput(const CiArguments& arguments);

  /// Writes them, and returns what they conclude. One that cannot be written after all is an error of the
  /// report, which standard error tells, too; so is a standard output that takes nothing. One that another
  /// program has written since is replaced by a report that says so: no foreign one passes for ours.
  /// `say` prints the last line before JUnit is written, which has what it throws, too. Who reads no further
  /// changes neither the reports nor what they conclude.
  Conclusion write(CiReport report, const std::function<void(const std::string&)>& say = {}) const;

  /// Fails the files until they are written again: a killed job leaves no report of an earlier one behind.
  void announce(const std::string& title) const;

  /// Returns what `body` returns. Where it throws, the reports say why before the exception goes on.
  int guard(const std::string& title, const std::function<int()>& body) const;

 private:
  std::optional<ReplaceFile> junit_, markdown_;
  std::optional<IgnoredPipe> no_pipe_;  // where files are to be written, whoever reads standard output
  std::string summary_;                 // the file of $GITHUB_STEP_SUMMARY; empty where none is to be written
  bool annotations_;
};

}  // namespace harness::compare
