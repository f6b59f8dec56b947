// Host time spent waiting for the device or for data, by who asked.
#pragma once

#include "harness/trace/host_figures.hpp"
#include "harness/trace/window.hpp"

namespace harness::trace {

/// The operator that the user called: the outermost one around the event within the innermost range,
/// autograd's own frames aside; no_event where there is none.
EventId asking_op(const Trace& trace, const Nesting& nesting, EventId event);

/// One call that held the host, and the copy it waited for (no_event: a synchronization).
struct WaitingCall {
  EventId call = no_event;
  EventId copy = no_event;
};

/// Synchronizing calls, and copies that hold the host: those of pageable memory, and those whose call did not
/// return before the copy was done.
std::vector<WaitingCall> waiting_calls(const Trace& trace, const Nesting& nesting,
                                       const std::vector<bool>& inside);

/// The same summed by call, operator and place, longest first.
std::vector<Wait> waits(const Trace& trace, const Nesting& nesting, const std::vector<WaitingCall>& calls);

/// When the host waited for data: the union over threads of the ranges that is_data_wait names.
Intervals data_waits(const Trace& trace, const Nesting& nesting, const std::vector<bool>& inside);

}  // namespace harness::trace
