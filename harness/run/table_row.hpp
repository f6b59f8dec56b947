// The table that a person reads, 100 columns, and the published columns of the rows that were profiled. Rows
// that were not measured for a reason that several share stand below the table.
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

/// One row on one line: its point, the first side's time, the change in percent with its interval, the
/// verdict, what decided it, what was published; a skipped or failed row says why. The step and its two sides
/// lead it where `above`, the row before it, is of another step. `above` may be null.
std::string table_row(const results::Row& row, const results::Row* above, const TableLayout& layout);
/// The numbers beside the times that differ between the forms (the STGym ladder: s/epoch, copies,
/// synchronizations) as "naive -> optimized". Empty without any.
std::string figures_text(const results::Row& row);
/// One form's value in what the row is judged by: a time, a multiple of the median, its first figure.
std::string judged_text(const results::Row& row, double value);
/// The same by its unit.
std::string judged_text(double value, std::string_view unit);

/// Heading and a line for each row, more with `details`; then a paragraph for each reason that several rows
/// were skipped for: "25 rows skipped: no CUDA device", and the steps with the number of their rows. Rows
/// name their device where one ran on a GPU.
std::string results_table(std::span<const results::Row> rows, const Style& style, bool details = false);

/// True where another of the rows was skipped for the same reason: skipped_text names both.
bool skipped_like_another(const results::Row& row, std::span<const results::Row> rows);

/// Those paragraphs of the skipped rows alone.
std::string skipped_text(std::span<const results::Row> rows, const Style& style);

/// What the table is, and its heading.
std::string profile_heading(const Style& style);

/// One row that has a profile: each column of one run before and after, the change, and what was published
/// beside it; then what the profiler cost. Where there was no device its columns say so.
std::string profile_rows(const results::Row& row, const Style& style);

/// "naive: 12.3 ms a run with the profiler on, 11.0 and 11.1 ms without it, before and after: +11.3 %".
/// Where that is not above what the two passes without it differ by, it says that the cost is unknown.
std::string profiler_cost(const results::FormProfile& form);

}  // namespace harness::run
