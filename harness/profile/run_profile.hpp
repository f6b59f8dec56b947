// `tuneproof run --profile`: each finished row once more, under the profiler.
#pragma once

#include "harness/profile/profiler.hpp"
#include "harness/run/run_output.hpp"
#include "harness/run/select.hpp"
#include "harness/support/signals.hpp"

#include <optional>
#include <vector>

namespace harness::profile {

/// The published figures of the step, each beside the column of its name, where the source speaks of the
/// row's point.
void add_published(results::RowProfile& profile, const catalogue::Step& step,
                   const std::vector<Coordinate>& at);

/// Profiles the rows that have a result, each in a process of its own, and stores what each showed; `order`
/// is complete but for the row. Returns the signal that ended it early, if one did.
std::optional<int> profile_finished_rows(results::Results& results, const catalogue::Catalogue& catalogue,
                                         const ProfileOrder& order, run::RunOutput& output,
                                         SignalWatch& signals);

}  // namespace harness::profile
