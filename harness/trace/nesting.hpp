// Who called whom: the operators of one thread nested by time, and what they asked of the device.
#pragma once

#include "harness/trace/trace.hpp"

namespace harness::trace {

Nesting nest(const Trace& trace);

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
