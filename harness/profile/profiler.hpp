// One row under the profiler, from the parent's side: a worker of its own, its traces kept.
#pragma once

#include "harness/run/supervisor.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace harness::profile {

struct ProfileOrder {
  /// One row; `job.profile` says what of it. Its folder is filled in here.
  run::Assignment assignment;
  std::filesystem::path out;  // for the traces
};

/// Called meanwhile.
struct ProfileReports {
  std::function<void(int done, int of)> walked;       // passes through the schedule
  std::function<void(const std::string& line)> said;  // what the worker printed
};

struct Profiled {
  results::Row row;           // with its profile, or skipped or failed with the reason
  std::optional<int> signal;  // that ended it early; then nothing is left behind
};

/// Runs the row and keeps its traces, named after row and form. Throws BadInput where the user's input is
/// wrong or the traces cannot be stored.
Profiled profile(const ProfileOrder& order, const ProfileReports& reports, SignalWatch& signals);

}  // namespace harness::profile
