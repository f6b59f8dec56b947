// The part of the results file that Google Benchmark's tools read.
#pragma once

#include "harness/results/results.hpp"

namespace harness::results {

/// `context` in Google Benchmark's form, with the two keys that lead a reader to our block.
Json benchmark_context(const Results& results);

/// One row per form and unit: the units are the independent repetitions, so that compare.py's U test never
/// counts a slot as one. Rows that were not measured, and times that are not finite, do not appear.
Json benchmark_rows(const std::vector<Row>& rows);

}  // namespace harness::results
