// What a simulation shows: rows under their whole names, and time lines, what host and device do side by
// side.
#pragma once

#include "harness/simulate/simulate.hpp"
#include "harness/support/terminal.hpp"

namespace harness::simulate {

/// Names rows as `run` does: each subject once, and a step's further rows by their points. No name is cut, or
/// two rows would read alike: each stands on a line of its own, above its figures.
class RowTable {
 public:
  RowTable(std::vector<std::string> heads, const Style& style) : figures_(std::move(heads)), style_(style) {}

  /// The next row's name, in the order of the table, with `note` below it.
  void add_name(const std::string& row, const std::string& note = {});
  /// A line of figures below the latest name.
  void add(std::vector<std::string> cells);
  bool empty() const { return lines_ == 0; }
  std::string text() const;

 private:
  Columns figures_;
  Style style_;
  std::size_t lines_ = 0;
  std::vector<std::pair<std::size_t, std::string>> above_;  // what stands above the line of that number
  std::string step_;                                        // of the latest name
};

/// Of both forms of each row that can be simulated, on one time scale for the row: a line for the host and
/// one for each engine that does anything. A letter is a part of the whole time: `#` works for more than half
/// of it, `+` for less, `.` waits (the host only).
std::string lines_text(const std::vector<SimulatedRow>& rows);

}  // namespace harness::simulate
