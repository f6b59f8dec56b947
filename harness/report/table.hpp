// The table that a person reads: 100 columns, colour only on a terminal.
#pragma once

#include "harness/record/row.hpp"

#include <span>
#include <string>

namespace harness {

/// How text is written to this output.
struct Style {
  bool colour = false;
  int columns = 100;
};

/// Heading of the table of rows.
std::string table_heading(const Style& style);
/// One row: step and point, naive, optimized, change in percent with interval, verdict, published; a second
/// line says why where it was skipped, failed, is invalid, or cannot tell.
std::string table_row(const Row& row, const Style& style);
/// The numbers beside the times, one line per row that has any (the STGym ladder: s/epoch, copies,
/// synchronizations).
std::string figures_table(std::span<const Row> rows, const Style& style);
/// "12 helps, 3 no effect, ..., 9 skipped" and how many units each verdict rests on.
std::string summary(std::span<const Row> rows, const Style& style);

}  // namespace harness
