// Calls that start work on a device, and the queues between the two.
#pragma once

#include "harness/trace/host_time.hpp"

#include <vector>

namespace harness::trace {

Launches launches(const Trace& trace, const Nesting& nesting, const std::vector<bool>& inside);
std::vector<Queue> queues(const Trace& trace, const Nesting& nesting, const std::vector<bool>& inside);

}  // namespace harness::trace
