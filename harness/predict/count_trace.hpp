// Counts the work of one form in its trace, and says what of it lies on the critical path.
#pragma once

#include "harness/predict/work.hpp"
#include "harness/trace/trace.hpp"

namespace harness::predict {

/// Of one run; the trace holds `runs` of them. A trace without device work is the host's: what its main
/// thread does is exposed. Calls are counted on every thread, bytes and products where their shapes were
/// recorded.
Counted count_trace(const trace::Trace& trace, int runs);

}  // namespace harness::predict
