// How much of a run lies outside of steps like the judged ones: a rollout before each sixteenth step, say,
// which a recording of five does not show.
#pragma once

#include "harness/trace/diagnosis.hpp"

namespace harness::trace {

/// That share, and the command that records the rest, in one sentence without its stop; "" where the recorder
/// timed no further steps, or they are like the judged ones.
std::string outside_text(const Diagnosis& diagnosis);

}  // namespace harness::trace
