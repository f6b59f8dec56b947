// One run of a command to its end: in a group of its own, timed, and ended with all that it has started.
#pragma once

#include "harness/support/signals.hpp"
#include "harness/support/spawn.hpp"

#include <cstdint>
#include <functional>

namespace harness::programs {

using Seconds = std::chrono::duration<double>;

struct RunOrder {
  Command command = {};
  std::filesystem::path input = {};  // its standard input; empty: /dev/null
  /// Called for whole lines of its output, errors included; empty: standard output goes to /dev/null.
  std::function<void(std::string_view lines)> heard = {};
  std::function<bool()> stop = {};                // asked twice a second: true ends it
  std::function<bool(int signal)> outlasts = {};  // asked of a signal that came to us: true lets it go on
  Seconds timeout{3600};
  std::chrono::steady_clock::time_point end = std::chrono::steady_clock::time_point::max();  // if earlier
  bool may_leave_processes = false;  // such as a server that later runs talk to; its errors are shown
};

struct TimedRun {
  Exit exit;
  double seconds = 0;
  double cpu_seconds = 0;     // of all its processes that it has waited for
  double peak_bytes = 0;      // of the largest of them
  std::int64_t switches = 0;  // that took the CPU away
  bool timed_out = false;
  bool stopped = false;            // by the order's `stop`
  bool asked_terminal = false;     // and was ended for it
  std::optional<int> signal = {};  // that came to us, and ended it
  std::string last_line = {};      // of what was heard
};

/// Throws BadInput where the command cannot be started or its input not be read.
TimedRun run_timed(const RunOrder& order, SignalWatch& signals);

/// "exited with 1; it said: no such file", "took longer than 90s"; empty where it ended as it should.
std::string why_failed(const TimedRun& run, const std::string& timeout);

/// True if it came to an end of its own, whatever its exit code says. Those of a shell for what it did not
/// find or could not run, and for what a signal has killed, are no such end: nothing else is as fast.
bool came_to_end(const TimedRun& run);

}  // namespace harness::programs
