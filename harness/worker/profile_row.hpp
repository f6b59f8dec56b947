// One row under the profiler.
#pragma once

#include "harness/worker/measure_row.hpp"

namespace harness::worker {

/// Shows that the forms agree, then takes each through the schedule three times from a cleared start: without
/// the profiler, with it, and without it again. Leaves plain JSON traces in the plan's folder and fills in
/// `row.profile`, figures excepted. Throws what the step throws.
void profile_into(results::Row& row, const run::StepAt& found, Bench& bench, const run::ProfilePlan& plan,
                  const Walked& walked);

}  // namespace harness::worker
