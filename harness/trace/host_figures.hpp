// What the host did: launches and the queues between them and the device's work, waiting and who asked for
// it, data loading, steps, and named ranges with the time that they cost on the host and on the device.
#pragma once

#include "harness/trace/trace.hpp"
#include "harness/trace/window.hpp"

namespace harness::trace {

/// Calls that started work on the device, joined to that work.
struct Launches {
  std::int64_t count = 0;      // pairs of call and work
  double call_us = 0;          // duration of the call, in the median: some copies hold the host
  double delay_us_median = 0;  // from the end of the call to the start of the work; 0 where it began before
  double delay_us_max = 0;
  bool clocks_agree = true;  // false: the delays say nothing
};

/// Work launched and not yet begun, per stream, sampled at every launch and every start.
struct Queue {
  std::int64_t device = 0;
  std::int64_t stream = 0;
  double mean = 0;  // over the samples, as HTA has it
  std::int64_t max = 0;
  double time_mean = 0;  // weighted by time
  double empty_us = 0;   // time at length 0
};

/// Host time in one sort of waiting, by who asked.
struct Wait {
  std::string call;   // "cudaStreamSynchronize", "cudaMemcpyAsync"
  std::string op;     // the operator around it: "aten::item"; "" outside of any
  std::string where;  // "train.py(42): step"; "" without stacks
  std::int64_t count = 0;
  double us = 0;
  bool copy = false;  // a copy that waits, not a synchronization
};

/// Idle time of the device that ended with work asked for by this operator.
struct GapCause {
  std::string op;
  std::string where;  // of the longest of them; "" without stacks
  std::int64_t count = 0;
  double us = 0;
};

/// A step: its window on the host, and its time.
struct StepTime {
  std::string name;
  std::int64_t begin = 0;  // ns
  std::int64_t end = 0;
  Span timed = {};  // what its time is taken from: the same, or where the host runs ahead the device's
  double us = 0;
};

/// A named range: record_function, module ranges; ProfilerStep left out.
struct Phase {
  std::string name;
  std::int64_t count = 0;
  double host_us = 0;    // nested calls of the same name once
  double device_us = 0;  // of the work asked for inside, on any thread that the range encloses
};

struct HostTime {
  Launches launches;
  std::vector<Queue> queues;
  std::vector<Wait> waits;  // by falling time
  double data_wait_us = 0;
  std::vector<GapCause> gaps;  // by falling time
  std::vector<StepTime> steps;
  std::vector<Phase> phases;  // by falling host time
};

HostTime host_time(const Trace& trace, const std::vector<bool>& inside = {});

/// True for "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", "data_wait" and their like.
bool is_data_wait(std::string_view name);
/// True for calls that hold the host until the device has caught up.
bool is_synchronizing(std::string_view call);

Launches launches(const Trace& trace, const std::vector<bool>& inside);
std::vector<Queue> queues(const Trace& trace, const std::vector<bool>& inside);

std::vector<Phase> phases(const Trace& trace, const std::vector<bool>& inside);

/// The operator that the user called: the outermost one around the event within the innermost range,
/// autograd's own frames aside; no_event where there is none.
EventId asking_op(const Trace& trace, EventId event);

/// One call that held the host, and the copy it waited for (no_event: a synchronization).
struct WaitingCall {
  EventId call = no_event;
  EventId copy = no_event;
};

/// The same summed by call, operator and place, longest first.
std::vector<Wait> waits(const Trace& trace, const std::vector<WaitingCall>& calls);

}  // namespace harness::trace
