// Where a run's rows go: table, progress, results file.
#pragma once

#include "harness/record/replace_file.hpp"
#include "harness/record/results.hpp"
#include "harness/report/progress.hpp"
#include "harness/report/table.hpp"

#include <cstdio>
#include <optional>
#include <string>

namespace harness {

/// Takes each finished row once; afterwards the table shows it and the file holds it.
class RunOutput {
 public:
  /// `file`: the results file, "-" for standard output, empty for none. Throws BadInput where it cannot be
  /// written; an existing one is not touched before the first row.
  explicit RunOutput(const std::string& file);

  /// Prints the heading. `results` has its session and fingerprint filled in.
  void begin(Results results, int rows, double expected_seconds);
  void begin_row(const std::string& name);
  void unit(int done, int of);
  void end_row(Row row, double expected_seconds);
  /// What the row showed under the profiler; comes after the last row.
  void end_profile(std::size_t row, RowProfile profile);
  /// A line that a worker printed.
  void say(const std::string& line);
  /// Figures, summary, and the document where it goes to standard output.
  void finish();

  /// True once nobody reads the table and no file is wanted.
  bool abandoned() const { return reader_gone_ && !file_; }
  /// True if the results are not stored, or the table not printed, for another reason than a reader that
  /// left.
  bool broken() const { return !file_error_.empty() || table_broken_; }
  const Results& results() const { return results_; }

 private:
  void print(const std::string& text);
  void store();

  std::optional<ReplaceFile> file_;
  bool document_on_stdout_;
  std::FILE* table_;
  Style style_;
  std::optional<Progress> progress_;
  Results results_;
  std::string previous_step_;
  bool profiles_begun_ = false;
  std::string file_error_;
  bool reader_gone_ = false;
  bool table_broken_ = false;
};

}  // namespace harness
