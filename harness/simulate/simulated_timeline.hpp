// The time line of a schedule on a device that is described by rules: a discrete-event simulation. A schedule
// is what a program asks of a device, call by call, each with its time in seconds as the simulation counts
// them.
#pragma once

#include "harness/core/setup.hpp"

#include <cmath>
#include <cstddef>
#include <set>
#include <variant>
#include <vector>

namespace harness::simulate {

/// Times are whole: the same schedule gives the same time line, to the last digit.
using Nanoseconds = std::int64_t;
/// More than three years. Sums of two and 64 times as much stay within 64 bits.
constexpr Nanoseconds longest_line = 100'000'000'000'000'000;

/// What a command occupies while it runs. `none`: a mark, which takes no time of its own.
enum class Engine { multiprocessors, to_device, to_host, none };

/// What a device does.
struct Command {
  std::string name;
  Engine engine = Engine::none;
  Nanoseconds lasts = 0;
  int multiprocessors = 0;  // that a kernel occupies
  double bytes = 0;         // that a copy moves
};

/// The legacy default stream: it waits for all blocking streams, and they wait for it.
constexpr int legacy_stream = 0;

/// The host works on its own.
struct Compute {
  std::string name;
  Nanoseconds lasts = 0;
  bool is_operator = false;  // of LibTorch
};
/// A command is queued, which keeps the host for `host`; with `waits` the call returns when it has ended.
struct Submit {
  int stream = 1;
  Command command;
  Nanoseconds host = 0;
  bool waits = false;
  std::string asker = {};    // the operator of LibTorch that calls; empty: there is none
  Nanoseconds dispatch = 0;  // the operator's part of `host`, before the call
};
/// An event is recorded behind what the stream was given.
struct RecordEvent {
  int stream = 1;
  int event = 0;
  Nanoseconds host = 0;
};
/// What the stream is given from here on waits for the event; one that was never recorded holds up nothing.
struct WaitForEvent {
  int stream = 1;
  int event = 0;
  Nanoseconds host = 0;
};
/// The host waits.
struct Synchronize {
  enum class For { device, stream, event } what = For::device;
  int which = 0;
  Nanoseconds host = 0;
};
/// A node of a graph begins when those before it have ended; `after` counts nodes from 0.
struct Node {
  Command command;
  std::vector<std::size_t> after = {};
};
struct LaunchGraph {
  int stream = 1;
  std::vector<Node> nodes;
  Nanoseconds host = 0;
};

using Call = std::variant<Compute, Submit, RecordEvent, WaitForEvent, Synchronize, LaunchGraph>;

/// One host thread's calls, in their order.
struct Schedule {
  std::vector<Call> calls;
  std::set<int> non_blocking = {};  // streams that the legacy stream neither waits for nor holds up
};

/// How a device and its driver behave.
struct Rules {
  int multiprocessors = 1;
  int copy_engines = 2;      // 1: both directions share it
  bool one_queue = false;    // commands begin in the order of their calls on each engine (before Kepler)
  int queue_length = 1024;   // commands that have not begun; the host waits with one more
  Nanoseconds reach = 0;     // from a call's return until its command can begin
  Nanoseconds gap = 0;       // from a command's end until the next one that waited for it begins
  Nanoseconds node_gap = 0;  // the same between the nodes of a graph
  Nanoseconds wake = 0;      // from a command's end until the host that waits for it goes on
};

constexpr double giga = 1e9;
constexpr double tera = 1e12;
constexpr double micro = 1e-6;

/// Throws BadInput where the time is longer than any time line may be.
inline Nanoseconds nanoseconds(double seconds) {
  if (!(seconds * giga <= static_cast<double>(longest_line)))
    throw BadInput("a call takes more than three years, which is longer than times are counted");
  return std::llround(seconds * giga);
}
inline double seconds(Nanoseconds time) { return static_cast<double>(time) / giga; }

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
