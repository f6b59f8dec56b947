// Whether the verdict over several steps rests on one of them.
#pragma once

#include "harness/trace/diagnosis.hpp"

namespace harness::trace {

/// Notes of each judged step what the verdict would be without it, where that is not `verdict`. Of fewer than
/// three judged steps none is left out: a single step left over would decide anyway.
void leave_each_out(std::vector<StepDiagnosis>& steps, Regime verdict);

/// The longest step without which the verdict would be another, and that does not take as long as the median
/// one; nullptr where there is none.
const StepDiagnosis* deciding_step(const Diagnosis& diagnosis);

/// What the report says of it, in two sentences; "" where there is none.
std::string deciding_step_text(const Diagnosis& diagnosis);

}  // namespace harness::trace
