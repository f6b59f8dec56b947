// The work of each device, by start.
#pragma once

#include "harness/trace/device_time.hpp"
#include "harness/trace/trace.hpp"

#include <map>

namespace harness::trace {

/// What one device did, and from when to when it worked.
struct DeviceWork {
  std::vector<EventId> work;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  bool seen = false;
};

/// By device number; `inside` restricts it to those events, empty: all.
std::map<std::int64_t, DeviceWork> device_work(const Trace& trace, const std::vector<bool>& inside);

/// The times at which none of this work runs, between its first start and its last end.
std::vector<Gap> device_gaps(const Trace& trace, const std::vector<EventId>& work);

}  // namespace harness::trace
