// `tuneproof run --profile`: each finished row once more, under the profiler.
#pragma once

#include "harness/cli/run_output.hpp"
#include "harness/cli/select.hpp"
#include "harness/process/signals.hpp"
#include "harness/profile/profiler.hpp"

#include <optional>
#include <vector>

namespace harness {

/// The published figures of the step, each beside the column of its name.
void add_published(RowProfile& profile, const CatalogueStep& step);

/// Profiles the rows that have a result, each in a process of its own; `order` is complete but for the row.
/// Returns the signal that ended it early, if one did.
std::optional<int> profile_finished_rows(RunOutput& output, const std::vector<PlannedRow>& planned,
                                         const ProfileOrder& order, SignalWatch& signals);

}  // namespace harness
