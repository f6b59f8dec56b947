// The whole table of a run. Rows that were not measured for a reason that several share stand below it.
#pragma once

#include "harness/results/row.hpp"
#include "harness/support/style.hpp"

#include <span>
#include <string>

namespace harness::run {

/// Heading and a line for each row, more with `details`; then a paragraph for each reason that several rows
/// were skipped for: "25 rows skipped: no CUDA device", and the steps with the number of their rows. Rows
/// name their device where one ran on a GPU.
std::string results_table(std::span<const results::Row> rows, const Style& style, bool details = false);

}  // namespace harness::run
