// Where a run goes: progress, results file, table.
#pragma once

#include "harness/results/results.hpp"
#include "harness/run/progress.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/support/terminal.hpp"

namespace harness::run {

/// Stores the results after each round, and shows them in the end: a verdict falls at a look, for all rows
/// at once.
class RunOutput {
 public:
  /// `file`: the results file, "-" for standard output, empty for none. Throws BadInput where it cannot be
  /// written; an existing one is not touched before the first results. `details`: lines below each row.
  explicit RunOutput(const std::string& file, bool details = false);

  /// Prints the heading.
  void begin_pass(const PassView& view);
  void begin_row(const std::string& name);
  void end_row(double expected_seconds);
  /// A line that a worker printed.
  void say(const std::string& line);
  /// Wipes the progress, so that other text can be printed.
  void clear() { progress_.clear(); }
  /// Says what went wrong beside the measurement, and is broken from then on.
  void fail(const std::string& why);
  /// Replaces the file.
  void store(const results::Results& results);
  /// Table, summary, the paragraphs `last`, and the document where it goes to standard output.
  void finish(const results::Results& results, const std::vector<std::string>& last);

  /// True once the file holds results of this run.
  bool has_stored() const { return stored_; }
  /// True once nobody reads the table and no file is wanted.
  bool abandoned() const { return reader_gone_ && !file_; }
  /// Why the results are not stored or the table is not printed, or what `fail` got, as standard error has
  /// it. Empty where nothing went wrong, or the table's reader left.
  std::string failure() const;
  bool broken() const { return !failure().empty(); }

 private:
  void print(const std::string& given);
  void print_profiles(const results::Results& results);

  std::optional<ReplaceFile> file_;
  bool document_on_stdout_;
  std::FILE* table_;
  Style style_;
  bool details_;
  Progress progress_;
  std::string file_error_;
  bool stored_ = false;
  bool reader_gone_ = false;
  bool table_broken_ = false;
  std::string failed_;
};

}  // namespace harness::run
