// The worker processes of two programs, with their progress.
#pragma once

#include "harness/compare/gate_session.hpp"
#include "harness/report/progress.hpp"

#include <array>

namespace harness {

/// What the processes of one program have in common.
struct Camp {
  Command worker;  // with a session memory of its own: the programs may lay theirs out differently
  Job job;         // without seed, round and rows
};

struct Camps {
  std::array<Camp, 2> sides;  // by Side
  Seconds row_timeout{300};
  std::string row_timeout_text;
  std::function<double(const Row&)> row_seconds;  // the guess for one process
};

/// All must outlive it.
GateCrew contest_crew(const Camps& camps, Progress& progress, SignalWatch& signals);

}  // namespace harness
