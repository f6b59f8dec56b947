// The table that a person reads: 100 columns, colour only on a terminal.
#pragma once

#include "harness/results/row.hpp"
#include "harness/support/style.hpp"

#include <string>
#include <string_view>

namespace harness::run {

/// Heading of the table of rows.
std::string table_heading(const Style& style);
/// One row: point, naive, optimized, change in percent with interval, verdict, published outcome, rounds; a
/// further line says what a row that cannot tell could have shown, another one its figures. A skipped or
/// failed row says why. A row of another step than `previous_step` is led by that step's name and what was
/// published about it.
std::string table_row(const results::Row& row, const Style& style, std::string_view previous_step = {});
/// The numbers beside the times (the STGym ladder: s/epoch, copies, synchronizations): those that differ
/// between the forms as "naive -> optimized", then those that are the same in both. Empty without figures.
std::string figures_text(const results::Row& row);
/// One form's value in what the row is judged by: a time, a multiple of the median, its first figure.
std::string judged_text(const results::Row& row, double value);
}  // namespace harness::run
