// Named ranges of the host, with the time they cost there and on the device.
#pragma once

#include "harness/trace/host_time.hpp"

#include <vector>

namespace harness::trace {

std::vector<Phase> phases(const Trace& trace, const Nesting& nesting, const std::vector<bool>& inside);

}  // namespace harness::trace
