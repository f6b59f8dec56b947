// Progress on stderr: a bar with the time left on a terminal, a plain line per row otherwise.
#pragma once

#include "harness/report/table.hpp"

#include <chrono>
#include <cstdio>
#include <string>

namespace harness {

class Progress {
 public:
  /// `expected_seconds` is the first guess for the whole run; the pace measured so far replaces it.
  Progress(std::FILE* out, bool terminal, int rows, double expected_seconds);
  /// Row `index` (from 0) has begun.
  void begin_row(int index, const std::string& name);
  /// `done` of `of` units of the current row have been taken.
  void unit(int done, int of);
  /// The current row has ended; its guess was `expected_seconds`.
  void end_row(double expected_seconds);
  /// Wipes the bar, so that other text can be printed; the next call draws it again.
  void clear();

 private:
  void draw();
  std::FILE* out_;
  bool terminal_;
  int rows_;
  double expected_total_;
  double expected_done_ = 0;
  int index_ = 0;
  double share_ = 0;  // of the current row
  std::string name_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace harness
