// What a worker tells its parent, as JSON lines on a descriptor of its own: what a step prints cannot be
// mistaken for a result.
#pragma once

#include "harness/results/round.hpp"
#include "harness/results/row.hpp"

#include <string>
#include <string_view>
#include <variant>

namespace harness::run {

/// The row has begun.
struct RowBegun {
  std::string row;
};
/// `done` of `of` passes of a row under the profiler are over.
struct PassWalked {
  std::string row;
  int done = 0;
  int of = 0;
};
/// The row is finished, whatever came of it: its `measured` holds what this worker has found out, the
/// rehearsal, one round or a profile.
struct RowEnded {
  results::Row row;
};
/// What the user gave is wrong; the whole run ends with this sentence.
struct InputRejected {
  std::string message;
};
/// The worker has done what it will do: all rows, or as many as the budget allowed.
struct WorkerEnded {
  results::Disturbance disturbance = {};
};

using WorkerEvent = std::variant<RowBegun, PassWalked, RowEnded, InputRejected, WorkerEnded>;

/// One line, its end included.
std::string event_to_json(const WorkerEvent& event);
/// Throws BadInput where the line is no event.
WorkerEvent event_from_json(std::string_view line);

}  // namespace harness::run
