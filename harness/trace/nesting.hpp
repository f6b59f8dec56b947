// Who called whom: the operators of one thread nested by time, and what they asked of the device.
#pragma once

#include "harness/trace/trace.hpp"

namespace harness::trace {

Nesting nest(const Trace& trace);

/// The innermost for which `is` holds of this event and those around it; no_event where there is none.
template <class Is>
EventId innermost(const Trace& trace, EventId event, const Is& is) {
  while (event != no_event && !is(event)) event = trace.nesting.parent[event];
  return event;
}

/// True if it holds of this event or of one around it.
template <class Is>
bool lies_in(const Trace& trace, EventId event, const Is& is) {
  return innermost(trace, event, is) != no_event;
}

/// True if an operator lies around the event, whatever ranges lie between.
bool within_operator(const Trace& trace, EventId event);

/// "train.py(42): step", from python_function events or the recorded call stack; "" where there is neither.
/// Frames of torch's own Python files are passed over where there are others. "train.py: <module>" of one
/// that was open before the recording: its line is not the event's.
std::string call_site(const Trace& trace, EventId event);

/// The innermost frame of the user's own in which half of this time or more passed, all its calls together;
/// "" without python_function events.
std::string frame_within(const Trace& trace, std::uint32_t track, std::int64_t begin, std::int64_t end);

}  // namespace harness::trace
