// The worker processes of two programs, with their progress.
#pragma once

#include "harness/compare/gate_session.hpp"
#include "harness/run/progress.hpp"

#include <array>

namespace harness::compare {

/// What the processes of one program have in common.
struct BuildWorker {
  Command worker;  // with a session memory of its own: the programs may lay theirs out differently
  run::Job job;    // without seed, round and rows
};

struct BuildWorkers {
  std::array<BuildWorker, 2> sides;  // by Side
  run::Seconds row_timeout{300};
  std::string row_timeout_text;
  std::function<double(const results::Row&)> row_seconds;  // the guess for one process
};

/// All must outlive it.
GateRunner build_runner(const BuildWorkers& build_workers, run::Progress& progress, SignalWatch& signals);

}  // namespace harness::compare
