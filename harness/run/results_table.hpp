// The whole table of a run, and the published columns of the rows that were profiled. Rows that were not
// measured for a reason that several share stand below the table.
#pragma once

#include "harness/results/row.hpp"
#include "harness/support/terminal.hpp"

namespace harness::run {

/// Heading and a line for each row, more with `details`; then a paragraph for each reason that several rows
/// were skipped for: "25 rows skipped: no CUDA device", and the steps with the number of their rows. Rows
/// name their device where one ran on a GPU.
std::string results_table(std::span<const results::Row> rows, const Style& style, bool details = false);

/// What the table is, and its heading.
std::string profile_heading(const Style& style);

/// One row that has a profile: each column of one run before and after, the change, and what was published
/// beside it; then what the profiler cost. Where there was no device its columns say so.
std::string profile_rows(const results::Row& row, const Style& style);

/// "naive: 12.3 ms a run with the profiler on, 11.0 and 11.1 ms without it, before and after: +11.3 %".
/// Where that is not above what the two passes without it differ by, it says that the cost is unknown.
std::string profiler_cost(const results::FormProfile& form);

}  // namespace harness::run
