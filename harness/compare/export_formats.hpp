// A results file for other tools: results/README.md.
#pragma once

#include "harness/compare/ci.hpp"
#include "harness/compare/run_file.hpp"
#include "harness/results/results.hpp"
#include "harness/results/stand_in.hpp"

namespace harness::compare {

/// Bencher's metric format: {"name": {"latency": {"value", "lower_value", "upper_value"}}}, in ns; the
/// interval of each form's median where there are enough units.
std::string bmf_text(const results::Results& run);
/// github-action-benchmark's customSmallerIsBetter: [{name, unit, value, range, extra}], in ns.
std::string gha_text(const results::Results& run);
/// One line per row: time, commit, step, row, verdict, medians in ns, ratio with interval, units. What otava
/// and spreadsheets read.
std::string csv_text(const results::Results& run);

/// A run's verdicts for JUnit, Markdown and annotations: `hurts` fails nothing here but of commands, a failed
/// row is an error.
CiReport run_report(const results::Results& run);
/// As JUnit; of commands it is red wherever a gate would be, as where no row was decided.
std::string junit_export(const results::Results& run);

// Results files as event files that TensorBoard opens.

/// Content by place: a run's folder in the exported folder, and the file in it.
using EventFiles = std::map<std::filesystem::path, std::string>;

/// A run of TensorBoard for each class of machine. Its steps are the machine's sessions by their start, from
/// 0; a session that is given twice counts once. Each row has its times, change, interval and verdict.
EventFiles event_files_of(std::vector<results::Results> runs);

/// The verdict on an axis: helps 1, no effect 0, hurts -1; NaN where the row cannot tell, which TensorBoard
/// draws as a triangle.
float verdict_number(Verdict verdict);

}  // namespace harness::compare
