// One row in one process: what a worker does over and over.
#pragma once

#include "harness/results/row.hpp"
#include "harness/run/find_row.hpp"
#include "harness/run/job.hpp"
#include "harness/worker/bench.hpp"

namespace harness::worker {

/// Rehearses the row, takes the job's round of it as it was `asked` for, or profiles it where the job wants
/// that. An exception of the step costs this row only: it comes back as skipped or failed with
/// its reason; `bench.in_doubt` says whether another row may follow in this process. Throws BadInput where
/// the user's input is wrong.
results::Row measure_row(const run::StepAt& found, Bench& bench, const run::Job& job,
                         const results::Row& asked, const Walked& walked);

}  // namespace harness::worker
