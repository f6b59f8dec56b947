// The table that a person reads: 100 columns, colour only on a terminal.
#pragma once

#include "harness/results/row.hpp"
#include "harness/support/terminal.hpp"

namespace harness::run {

/// How rows are laid out.
struct TableLayout {
  Style style = {};
  bool details = false;  // below each row: its whole name, both times, rounds, remarks, figures
  bool devices = true;   // names end with the device
};

/// Heading of the table of rows; `one_form`: all of them are benchmarks, which have no second side.
std::string table_heading(const Style& style, bool one_form);
/// One row on one line: its point, the first side's time, the change in percent with its interval, the
/// verdict, what decided it, what was published; a skipped or failed row says why. The step and its two sides
/// lead it where `above`, the row before it, is of another step. `above` may be null.
std::string table_row(const results::Row& row, const results::Row* above, const TableLayout& layout);
/// The numbers beside the times that differ between the forms (the STGym ladder: s/epoch, copies,
/// synchronizations) as "naive -> optimized". Empty without any.
std::string figures_text(const results::Row& row);
/// One form's value in what the row is judged by: a time, a multiple of the median, its first figure.
std::string judged_text(const results::Row& row, double value);
}  // namespace harness::run
