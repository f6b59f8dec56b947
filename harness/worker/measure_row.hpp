// One row in one process: what a worker does over and over.
//
// One row under the profiler.
#pragma once

#include "harness/results/row.hpp"
#include "harness/run/find_row.hpp"
#include "harness/run/job.hpp"
#include "harness/worker/bench.hpp"

#include <functional>

namespace harness::worker {

/// Called while a row is profiled: how many of its passes through the schedule are done.
using Walked = std::function<void(int done, int of)>;

/// Rehearses the row, takes the job's round of it as it was `asked` for, or profiles it where the job wants
/// that. An exception of the step costs this row only: it comes back as skipped or failed with
/// its reason; `bench.in_doubt` says whether another row may follow in this process. Throws BadInput where
/// the user's input is wrong.
results::Row measure_row(const run::StepAt& found, Bench& bench, const run::Job& job,
                         const results::Row& asked, const Walked& walked);

/// Shows that the forms agree, then takes each through the schedule three times from a cleared start: without
/// the profiler, with it, and without it again. Leaves plain JSON traces in the plan's folder and fills in
/// `row.profile`, figures excepted. Throws what the step throws.
void profile_into(results::Row& row, const run::StepAt& found, Bench& bench, const run::ProfilePlan& plan,
                  const Walked& walked);

}  // namespace harness::worker
