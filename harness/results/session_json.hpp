// The session of a results file as JSON, and the part of the file that Google Benchmark's tools read.
#pragma once

#include "harness/results/results.hpp"

namespace harness::results {

Json session_to_json(const Session& session);
/// Throws BadInput naming the field that is missing or wrong.
Session session_from_json(const Field& json);

/// `context` in Google Benchmark's form, with the two keys that lead a reader to our block.
Json benchmark_context(const Results& results);

/// One row per form and unit: the units are the independent repetitions, so that compare.py's U test never
/// counts a slot as one. Rows that were not measured, and times that are not finite, do not appear.
Json benchmark_rows(const std::vector<Row>& rows);

}  // namespace harness::results
