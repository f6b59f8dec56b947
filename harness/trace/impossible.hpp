// Events whose times cannot be true: what a profiler's mistakes leave in a trace, or so far from all others
// that their stamp must be wrong.
#pragma once

#include "harness/trace/trace.hpp"

namespace harness::trace {

/// What cannot be true. `events` are to be left out; the rest makes the figures doubtful.
struct Impossible {
  std::vector<EventId> events;
  std::int64_t at_time_0 = 0;
  std::int64_t far = 0;       // events that lie, or last, far beyond all others
  double far_us = 0;          // by how much, at most
  std::int64_t too_fast = 0;  // copies
  double fastest_gb_s = 0;
  std::int64_t twice = 0;  // work of a device that the trace lists once more

  std::int64_t overlapping = 0;  // kernels that end behind a later one of their stream
  double overlap_us = 0;         // from the later one's begin to their end
  std::int64_t early = 0;        // kernels that begin before their launch
  std::int64_t launched = 0;     // kernels whose launch was recorded
  double early_us = 0;           // by how much, in the median
  std::int64_t crossing = 0;     // operators that begin within another one of their thread and end behind it
  double crossing_us = 0;        // from their begin to that one's end
};
Impossible impossible(const Trace& trace);

/// The trace without those events.
Trace without(const Trace& trace, const std::vector<EventId>& events);

/// Why the figures cannot be judged, over a time of that length with `spans` parts; "" they can.
std::string doubt(const Impossible& found, double window_us, std::size_t spans);

/// The same for a thread's time.
std::string host_doubt(const Impossible& found, double window_us);

/// True if more kernels begin before their launch than can be overlooked: then nothing can be said of when
/// launched work begins.
bool clocks_differ(const Impossible& found);

/// True if most kernels begin before their launch. Then nobody knows by how much the clocks differ, so what
/// the host did while the device idled cannot be said; how long it idled can.
bool causes_are_unknown(const Impossible& found);

/// All of it in words, for a remark; "" where nothing was found.
std::string impossible_text(const Impossible& found);

struct Stray {
  EventId event = no_event;
  std::int64_t distance = 0;  // ns from all others; of one that lasts too long its length
};

/// Few events, at ten times the length of all the rest and 10 s at least. Those of the device that have no
/// stamp at all, but 0, are not asked.
std::vector<Stray> strays(const Trace& trace);

}  // namespace harness::trace
