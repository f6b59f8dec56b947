// The published columns of the rows that were profiled.
#pragma once

#include "harness/results/row.hpp"
#include "harness/support/style.hpp"

#include <string>

namespace harness::run {

/// What the table is, and its heading.
std::string profile_heading(const Style& style);

/// One row that has a profile: each column of one run before and after, the change, and what was published
/// beside it; then what the profiler cost. Where there was no device its columns say so.
std::string profile_rows(const results::Row& row, const Style& style);

/// "naive: 12.3 ms a run with the profiler on, 11.0 and 11.1 ms without it, before and after: +11.3 %".
/// Where that is not above what the two passes without it differ by, it says that the cost is unknown.
std::string profiler_cost(const results::FormProfile& form);

}  // namespace harness::run
