// Who called whom: the operators of one thread nested by time, and what they asked of the device.
#pragma once

#include "harness/trace/trace.hpp"

#include <vector>

namespace harness {

/// All by EventId; no_event where there is none.
struct Nesting {
  /// Of cpu_op, user_annotation, runtime and driver events: the innermost cpu_op or user_annotation around
  /// it.
  std::vector<EventId> parent;
  /// Of device events and syncs: the runtime or driver call with the same correlation.
  std::vector<EventId> launch;
  /// Of device events: the operator that asked for it (around its launch, else the one with its external id).
  std::vector<EventId> asker;
  /// Of cpu_op, runtime and driver events: the innermost python_function around it.
  std::vector<EventId> python;
};

Nesting nest(const Trace& trace);

/// "train.py(42): step", from python_function events or the recorded call stack; "" where there is neither.
/// Frames of torch's own Python files are passed over while others are left.
std::string call_site(const Trace& trace, const Nesting& nesting, EventId event);

}  // namespace harness
