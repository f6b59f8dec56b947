// `run --count instructions`: after the rounds, each row on the host once more in a process that counts.
#pragma once

#include "harness/results/results.hpp"
#include "harness/run/run_output.hpp"
#include "harness/run/worker_runner.hpp"
#include "harness/support/signals.hpp"

#include <optional>

namespace harness::run {

/// Adds the figure "instructions" to the rows on the host, as far as they can be counted; says why others
/// cannot. By the kernel's counter, else under valgrind, where the processes take some 50 times as long. Rows
/// keep their verdicts whatever happens here. Returns the signal that ended it early.
std::optional<int> count_instructions(results::Results& results, const WorkerSetup& workers,
                                      RunOutput& output, SignalWatch& signals);

}  // namespace harness::run
