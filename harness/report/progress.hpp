// Progress on stderr: a bar with the time left on a terminal, a plain line per row otherwise.
// Our own: neither CLI11 nor fmt has one, and Debian packages no library for it.
#pragma once

#include "harness/report/table.hpp"

#include <chrono>
#include <cstdio>
#include <string>

namespace harness {

/// How far a run has come.
struct Advance {
  int row = 0;  // from 0
  int rows = 0;
  std::string name = {};
  int unit = 0;
  int units = 0;  // of the next look; 0 before the first unit
  double expected_total = 0;
  double expected_done = 0;  // of the rows that have ended
  double expected_row = 0;   // of the current row
  double elapsed = 0;
};

/// The share of the run that is done, in [0, 1].
double share_done(const Advance& advance);
/// What is left of the guess, corrected by the pace so far. Seconds.
double seconds_left(const Advance& advance);
/// "[#####---------------]  25 %  3/24 transfer/pinned_h2d  unit 5/14  1 min 20 s left", cut to the columns.
std::string progress_line(const Advance& advance, int columns);
/// "45 s", "2 min 10 s", "1 h 5 min".
std::string duration_text(double seconds);

class Progress {
 public:
  /// `expected_seconds` is the first guess for the whole run; the pace measured so far corrects it.
  Progress(std::FILE* out, bool terminal, int rows, double expected_seconds);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }
  /// Row `index` (from 0) has begun.
  void begin_row(int index, const std::string& name);
  /// `done` of `of` units of the current row have been taken.
  void unit(int done, int of);
  /// The current row has ended; its guess was `expected_seconds`.
  void end_row(double expected_seconds);
  /// Wipes the bar, so that other text can be printed; the next call draws it again.
  void clear();

 private:
  void draw(bool now);
  std::FILE* out_;
  bool terminal_;
  int columns_;
  bool drawn_ = false;
  Advance advance_;
  std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point last_draw_;
};

}  // namespace harness
