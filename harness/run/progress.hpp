// Progress on stderr: a bar with the time left on a terminal, a plain line per pass otherwise.
// Our own: neither CLI11 nor fmt has one, and Debian packages no library for it.
#pragma once

#include <chrono>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>

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
  double end = std::numeric_limits<double>::infinity();  // what has elapsed when the budget is over
};

/// The share of the run that is done, in [0, 1].
double share_done(const Advance& advance);
/// What is left of the guess, corrected by the pace so far, and of the budget at most. Seconds.
double seconds_left(const Advance& advance);
/// "[#####---------------]  25 %  round 4/14  3/24 transfer/pinned_h2d  1 min 20 s left", cut to the columns.
std::string progress_line(const Advance& advance, int columns);
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

}  // namespace harness::run
