#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/machine/probe.hpp"
#include "harness/results/results.hpp"
#include "harness/run/job.hpp"
#include "harness/run/run_arguments.hpp"

namespace harness::run {

/// The error that a verdict may have, split over the looks (docs/measuring.md 5).
constexpr double session_alpha = 0.01;

/// A session that begins now; `device` is where the steps run that run on one device only.
results::Session new_session(const RunPlan& plan, const Device& device, const BuildInfo& build);

/// The row before it is measured.
results::Row blank_row(const PlannedRow& planned);
/// The plan for a worker, without rows.
Job job_of(const RunPlan& plan);
/// Notes whether CUDA can be used. False, and one sentence on stderr, where it was asked for and cannot.
bool accept_device(Selection& selection, const RunArguments& arguments, const Probe& probe);
/// What the worker says of the device. A dry run does not start LibTorch to be told of none.
std::string probe_text(const RunArguments& arguments, const Selection& selection,
                       const catalogue::Program& program);
/// The rows in table order; those that need a device say why it cannot be used.
std::vector<PlannedRow> planned_rows(const catalogue::Catalogue& catalogue, const Selection& selection,
                                     const Probe& probe);
/// Rows that have nothing to compare with these options say why.
void skip_what_options_exclude(std::vector<PlannedRow>& rows, const Options& options,
                               const catalogue::OptionReader& reader);

/// Where a CUDA device was asked for and there is none: CTest's SKIP_RETURN_CODE.
constexpr int no_device_exit = 77;

}  // namespace harness::run
