// Where a run goes: results file, table, and its progress on stderr: a bar with the time left on a terminal,
// a plain line per pass otherwise.
#pragma once

#include "harness/results/results.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/support/terminal.hpp"

#include <limits>

namespace harness::run {

/// How far a run has come.
struct Advance {
  std::string pass = {};  // "rehearsal", "round 3/14"
  int row = 0;            // rows of the pass that have ended
  int rows = 0;
  std::string name = {};
  double expected_total = 0;  // seconds, up to the next look
  double expected_done = 0;
  double elapsed = 0;
  double shown = 0;  // the largest share so far: rows that go on to a further look do not take it back
  double end = std::numeric_limits<double>::infinity();  // what has elapsed when the budget is over
};

/// The share of the run that is done, in [0, 1].
double share_done(const Advance& advance);
/// What is left of the guess, corrected by the pace so far, and of the budget at most. Seconds.
double seconds_left(const Advance& advance);
/// "[#####---------------]  25 %  round 4/14  3/24 transfer/pinned_h2d  1 min 20 s left", cut to the columns.
std::string progress_line(const Advance& advance, int columns);
/// A line of --dry-run: "sync/a/n:128  12 s", "sync/a/n:256  skipped: no CUDA device"; what does not fit
/// behind the name stands below it.
std::string planned_text(const results::Row& row, double seconds, const Style& style);
/// "45 s", "2 min 10 s", "1 h 5 min".
std::string duration_text(double seconds);

/// A pass over the rows that begins.
struct PassView {
  std::string pass = {};  // "rehearsal", "round 3/14"
  int rows = 0;
  double expected_left = 0;  // seconds up to the next look, as guessed before anything was measured
  std::optional<std::chrono::duration<double>> budget = {};  // that is left
};

class Progress {
 public:
  Progress(std::FILE* out, bool terminal);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }
  void begin_pass(const PassView& view);
  void begin_row(const std::string& name);
  /// The current row has ended; its guess was `expected_seconds`.
  void end_row(double expected_seconds);
  /// Wipes the bar, so that other text can be printed; the next call draws it again.
  void clear();

 private:
  void draw();
  void put(const std::string& text) const;
  std::FILE* out_;
  bool terminal_;
  int columns_;
  bool drawn_ = false;
  Advance advance_;
  std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point last_draw_;
};

/// Stores the results after each round, and shows them in the end: a verdict falls at a look, for all rows
/// at once.
class RunOutput {
 public:
  /// `file`: the results file, "-" for standard output, empty for none. Throws BadInput where it cannot be
  /// written; an existing one is not touched before the first results. `details`: lines below each row.
  explicit RunOutput(const std::string& file, bool details = false);

  Progress& progress() { return progress_; }
  /// A line that a worker printed.
  void say(const std::string& line);
  /// Says what went wrong beside the measurement, and is broken from then on.
  void fail(const std::string& why);
  /// Replaces the file.
  void store(const results::Results& results);
  /// Table, summary, the paragraphs `last`, and the document.
  void finish(const results::Results& results, const std::vector<std::string>& last);
  /// Prints lines where the table goes.
  void print(const std::string& given);
  /// The document where it goes to standard output; else standard error says which file has it.
  void print_document(const results::Results& results);
  const Style& style() const { return style_; }

  /// True once the file holds results of this run.
  bool has_stored() const { return stored_; }
  /// True once nobody reads the table and no file is wanted.
  bool abandoned() const { return reader_gone_ && !file_; }
  /// Why the results are not stored or the table is not printed, or what `fail` got, as standard error has
  /// it. Empty where nothing went wrong, or the table's reader left.
  std::string failure() const;
  bool broken() const { return !failure().empty(); }
  /// Of a command that has `failed` or not: as SIGPIPE gives it where it was abandoned.
  int exit_code(bool failed) const;

 private:
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
