// What single changes bring at both ends of a ladder, beside what they brought on it.
#pragma once

#include "harness/catalogue/catalogue.hpp"
#include "harness/results/row.hpp"
#include "harness/support/terminal.hpp"

namespace harness::run {

/// True for the step of a workload whose rows take one change from the best form (`from:best`) or add it to
/// the naive one (`from:naive`); which one, its axis `switch` says: the name of a rung of the same workload.
bool is_leave_one_out(std::string_view step);

/// The ladders of these steps' workloads as patterns, or all there are: "'gpt/*' or 'stgym/*'".
std::string ladders_for(std::span<const std::string> steps, const catalogue::Catalogue& catalogue);

/// A line for each change: its rung's row (the first measured one), from the best form, alone in naive. Empty
/// where none of the rows is of such a step.
std::string leave_one_out_table(std::span<const results::Row> rows, const Style& style);

}  // namespace harness::run
