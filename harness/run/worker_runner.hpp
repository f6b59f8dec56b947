#pragma once

#include "harness/run/rounds.hpp"
#include "harness/run/run_output.hpp"

#include <functional>
#include <string>

namespace harness::run {

/// What every pass of a session has in common.
struct WorkerSetup {
  Command worker;  // with the memory of the session
  Job job;         // without round and rows
  Seconds row_timeout{300};
  std::string row_timeout_text;
  std::string title = {};  // before "round 3/14" in the progress
  /// The guess of what a row takes in all, rehearsal and rounds up to the first look.
  std::function<double(const results::Row&)> row_seconds;
};

/// A runner of worker processes that shows its progress and stores `results`; all four must outlive it.
Runner worker_runner(const WorkerSetup& worker_setup, const results::Results& results, RunOutput& output,
                     SignalWatch& signals);

}  // namespace harness::run
