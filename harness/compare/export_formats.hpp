// A results file for other tools: results/README.md.
#pragma once

#include "harness/compare/ci.hpp"
#include "harness/compare/run_file.hpp"

#include <string>

namespace harness::compare {

/// Bencher's metric format: {"name": {"latency": {"value", "lower_value", "upper_value"}}}, in ns; the
/// interval of each form's median where there are enough units.
std::string bmf_text(const results::Results& run);
/// github-action-benchmark's customSmallerIsBetter: [{name, unit, value, range, extra}], in ns.
std::string gha_text(const results::Results& run);
/// One line per row: time, commit, step, row, verdict, medians in ns, ratio with interval, units. What otava
/// and spreadsheets read.
std::string csv_text(const results::Results& run);

/// A run's verdicts for JUnit, Markdown and annotations: `hurts` fails nothing here, a failed row is an
/// error.
CiReport run_report(const results::Results& run);

}  // namespace harness::compare
