// Traces that `tuneproof simulate --trace` wrote: predictions, which nobody may take for recordings.
#pragma once

#include <string_view>

namespace harness::trace {

struct Trace;

/// What stands above every table and in every file that no GPU took part in.
constexpr std::string_view simulated_warning =
    "SIMULATED: no GPU took part. Predictions from data sheets, never measurements.";

/// Throws BadInput, naming the file, where the trace is simulated: `command` works on what was recorded.
void refuse_simulated(const Trace& trace, std::string_view command);

}  // namespace harness::trace
