#pragma once

#include "harness/cli/run_output.hpp"
#include "harness/worker/rounds.hpp"

#include <functional>
#include <string>

namespace harness {

/// What every pass of a session has in common.
struct Workshop {
  Command worker;  // with the memory of the session
  Job job;         // without round and rows
  Seconds row_timeout{300};
  std::string row_timeout_text;
  std::string title = {};  // before "round 3/14" in the progress
  /// The guess of what a row takes in all, rehearsal and rounds up to the first look.
  std::function<double(const Row&)> row_seconds;
};

/// A crew of worker processes that shows its progress and stores `results`; all four must outlive it.
Crew worker_crew(const Workshop& workshop, const Results& results, RunOutput& output, SignalWatch& signals);

}  // namespace harness
