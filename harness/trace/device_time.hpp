// What each device did, by start, and with its time: busy by kind, idle by cause, overlap, copies; and why
// its time has no verdict.
#pragma once

#include "harness/trace/regime.hpp"
#include "harness/trace/trace.hpp"

#include <limits>

namespace harness::trace {

/// Why a stream stood still between two pieces of work.
struct Idle {
  double host_wait_us = 0;    // the next piece was launched after the last one had ended
  double kernel_wait_us = 0;  // it was not, and the gap is below 30 us
  double other_us = 0;        // longer: waiting for another stream, say; or the launch is unknown
};

struct StreamTime {
  std::int64_t stream = 0;
  std::int64_t events = 0;
  double busy_us = 0;
  Idle idle;
};

/// Copies of one direction through one kind of host memory.
struct CopyTime {
  Direction direction = Direction::none;
  HostMemory host_memory = HostMemory::unknown;
  std::int64_t count = 0;
  std::int64_t bytes = 0;  // absent where no copy of this sort tells
  double us = 0;
  double waiting_us = 0;  // spent by the host inside the calls that asked for them
};

/// One device of one rank. Shares of time in microseconds of the span; "busy" is the union over streams.
struct DeviceTime {
  std::int64_t rank = 0;
  std::int64_t device = 0;
  double span_us = 0;
  double idle_us = 0;                       // span less the union of all work
  double compute_us = 0;                    // union of compute
  double communication_us = 0;              // union of communication
  double memory_us = 0;                     // union of copies and fills
  double non_compute_us = 0;                // busy without any compute
  double compute_and_communication_us = 0;  // both at once
  double compute_and_memory_us = 0;
  double memset_us = 0;  // sum
  std::int64_t kernels = 0;
  double kernel_resident_us = 0;  // union of kernels alone: what nvidia-smi calls utilisation
  double sm_share = -1;  // mean share of SMs at work while kernels run; below 0: the trace does not say
  std::vector<StreamTime> streams;
  std::vector<CopyTime> copies;
};

/// Per device that did anything inside the window; empty where the trace has no device activity.
std::vector<DeviceTime> device_time(const Trace& trace, const std::vector<bool>& inside = {});

/// False where times cannot be true, or too few of a device's kernels were recorded.
bool can_be_judged(const Shares& shares);

/// True if most of the time goes to the first use of kernels.
bool starts_up(const Shares& shares);

/// "cannot say", and why.
RegimeVerdict device_silence(const Shares& shares);

/// The same where the trace speaks of a GPU but holds nothing that one did.
RegimeVerdict no_device(const Trace& trace);

/// What one device did, by start, and from when to when it worked.
struct DeviceWork {
  std::vector<EventId> work;
  std::int64_t begin = 0;
  std::int64_t end = std::numeric_limits<std::int64_t>::min();
};

/// By device number; `inside` restricts it to those events, empty: all.
std::map<std::int64_t, DeviceWork> device_work(const Trace& trace, const std::vector<bool>& inside = {});

}  // namespace harness::trace
