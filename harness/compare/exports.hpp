// A results file for other tools: results/README.md.
#pragma once

#include "harness/compare/ci.hpp"
#include "harness/compare/run_file.hpp"

#include <string>

namespace harness::compare {

/// Bencher's metric format: {"name": {"latency": {"value", "lower_value", "upper_value"}}}, in ns; the
/// interval of each form's median where there are enough units.
std::string bmf_text(const RunFile& run);
/// github-action-benchmark's customSmallerIsBetter: [{name, unit, value, range, extra}], in ns.
std::string gha_text(const RunFile& run);
/// One line per row: time, commit, step, row, verdict, medians in ns, ratio with interval, units. What otava
/// and spreadsheets read.
std::string csv_text(const RunFile& run);

/// A run's verdicts for JUnit, Markdown and annotations: `hurts` fails nothing here, a failed row is an
/// error.
CiReport run_report(const RunFile& run);

}  // namespace harness::compare
