// The time line of a schedule on a device that is described by rules: a discrete-event simulation.
#pragma once

#include "harness/simulate/schedule.hpp"

namespace harness::simulate {

/// What the device did.
struct DeviceSpan {
  std::string name = {};
  int stream = 0;
  Engine engine = Engine::none;
  Nanoseconds called = 0;  // when its call returned
  Nanoseconds begin = 0;
  Nanoseconds end = 0;
  int call = 0;      // the number of its call
  double bytes = 0;  // that a copy moves
};

/// What the host did; `waits`: it waited for the device. A call has one span or two: its work and its wait.
struct HostSpan {
  std::string name = {};  // of the operator or of what it works on
  Nanoseconds begin = 0;
  Nanoseconds end = 0;
  bool waits = false;
  int call = 0;               // its number in the schedule, from 1
  std::string_view api = {};  // of CUDA, as a profiler calls it; empty: the host works on its own
  bool is_operator = false;
  Nanoseconds dispatch = 0;  // the operator's part, before the call of CUDA
};

struct Timeline {
  std::vector<DeviceSpan> device;  // in the order of their calls, marks left out
  std::vector<HostSpan> host;      // those that took time
  Nanoseconds host_end = 0;        // when the last call returned
  Nanoseconds end = 0;             // when nothing ran any more
};

/// Plays the schedule from time 0. Throws std::invalid_argument where no time line exists: a kernel that
/// needs more multiprocessors than there are, a node that waits for itself or a later one.
Timeline play(const Schedule& schedule, const Rules& rules);

}  // namespace harness::simulate
