// Instructions of rows on the host, in a process that counts: `run --count instructions` after the rounds,
// `compare --count instructions` of two programs.
#pragma once

#include "harness/results/results.hpp"
#include "harness/run/rounds.hpp"
#include "harness/run/run_output.hpp"
#include "harness/run/worker_runner.hpp"
#include "harness/support/signals.hpp"

namespace harness::run {

/// Runs the plan's rows in a process that counts their instructions: by the kernel's counter, else under
/// valgrind. Says by `reports` how, or why it cannot. Returns the signal that ended it early.
std::optional<int> count_rows(WorkerPlan worker_plan, const Reports& reports, SignalWatch& signals);

/// Adds the figure "instructions" to the rows on the host, as far as they can be counted; says why others
/// cannot. By the kernel's counter, else under valgrind, where the processes take some 50 times as long. Rows
/// keep their verdicts whatever happens here. It may take as long as `limits` say, and says what it has left
/// out. Returns the signal that ended it early.
std::optional<int> count_instructions(results::Results& results, const WorkerSetup& workers,
                                      const Limits& limits, RunOutput& output, SignalWatch& signals);

}  // namespace harness::run
