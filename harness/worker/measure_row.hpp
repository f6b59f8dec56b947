// One row in one process, which is what a worker does over and over: it is timed, or its calls are recorded,
// or its instructions counted.
#pragma once

#include "harness/results/row.hpp"
#include "harness/run/select.hpp"
#include "harness/run/task.hpp"
#include "harness/worker/surroundings.hpp"

namespace harness::worker {

/// Rehearses the row, takes the task's round of it as it was `asked` for, or profiles it where the task wants
/// that. An exception of the step costs this row only: it comes back as skipped or failed with
/// its reason; `bench.in_doubt` says whether another row may follow in this process. Throws BadInput where
/// the user's input is wrong.
results::Row measure_row(const run::StepAt& found, Bench& bench, const run::Task& task,
                         const results::Row& asked, const Walked& walked);

}  // namespace harness::worker
