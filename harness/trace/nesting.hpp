// Who called whom: the operators of one thread nested by time, and what they asked of the device.
#pragma once

#include "harness/trace/trace.hpp"

namespace harness::trace {

/// All by EventId; no_event where there is none. Two events nest where the inner one lies wholly within the
/// outer one; of two that overlap in part neither is the other's parent (PyTorch's rule).
struct Nesting {
  /// Of cpu_op, user_annotation, runtime and driver events: the innermost cpu_op or user_annotation around
  /// it.
  std::vector<EventId> parent;
  /// Of device events and syncs: the runtime or driver call with the same correlation.
  std::vector<EventId> launch;
  /// Of device events: the operator that asked for it (around its launch, else the one with its external id).
  std::vector<EventId> asker;
  /// Of host events: the innermost python_function around it.
  std::vector<EventId> python;
  /// Of the events that have a parent: true inside another event of the same name.
  std::vector<bool> within_same;
  /// The python_function events that were open when the profiler was started within them, in order of id.
  /// Their names hold the line at which it was started, others' that of the function's `def`.
  std::vector<EventId> open_before;
  /// The cpu_op, user_annotation, runtime and driver events, every parent before its children.
  std::vector<EventId> order;
};

Nesting nest(const Trace& trace);

/// True if an operator lies around the event, whatever ranges lie between.
bool within_operator(const Trace& trace, const Nesting& nesting, EventId event);

/// "train.py(42): step", from python_function events or the recorded call stack; "" where there is neither.
/// Frames of torch's own Python files are passed over where there are others. "train.py: <module>" of one
/// that was open before the recording: its line is not the event's.
std::string call_site(const Trace& trace, const Nesting& nesting, EventId event);

/// The innermost frame of the user's own in which half of this time or more passed, all its calls together;
/// "" without python_function events.
std::string frame_within(const Trace& trace, const Nesting& nesting, std::uint32_t track, std::int64_t begin,
                         std::int64_t end);

}  // namespace harness::trace
