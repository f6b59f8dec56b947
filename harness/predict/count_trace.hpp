// Counts the work of a row's forms from the traces that its worker has recorded, and says what of it lies on
// the critical path.
#pragma once

#include "harness/predict/predict.hpp"
#include "harness/predict/work.hpp"
#include "harness/results/profile.hpp"
#include "harness/trace/trace.hpp"

#include <span>

namespace harness::predict {

/// Of one run; the trace holds `runs` of them. A trace without device work is the host's: what its main
/// thread does is exposed. Calls are counted on every thread, bytes and products where their shapes were
/// recorded. A form that runs in ranks exchanges with so many.
Counted count_trace(const trace::Trace& trace, int runs, int ranks = 1);

/// One trace of each form, and what the kernel counted beside it. Throws BadInput where a trace cannot be
/// read.
Before count_forms(std::span<const results::FormProfile> forms, int ranks);

}  // namespace harness::predict
