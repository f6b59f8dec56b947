// The whole table of a run. Rows that were not measured for a reason that several share stand below it.
#pragma once

#include "harness/record/row.hpp"
#include "harness/report/table.hpp"

#include <span>
#include <string>

namespace harness {

/// Heading and rows; then a paragraph for each reason that several rows were skipped for: "25 rows skipped:
/// no CUDA device", and the steps with the number of their rows.
std::string results_table(std::span<const Row> rows, const Style& style);

}  // namespace harness
