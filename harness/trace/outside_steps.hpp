// How much of a run lies outside of steps like the judged ones: a rollout before each sixteenth step, say,
// which a recording of five does not show.
#pragma once

#include "harness/trace/diagnosis.hpp"
#include "harness/trace/evidence.hpp"

#include <string>

namespace harness::trace {

/// That share, and the command that records the rest, in one sentence without its stop; "" where the recorder
/// timed no further steps, or they are like the judged ones.
std::string outside_text(const Diagnosis& diagnosis);

/// Of a recording without steps: how much longer the host was recorded than the device worked, as the end of a
/// sentence; "" where it was not clearly longer.
std::string beside_device_text(const Evidence& evidence);

}  // namespace harness::trace
