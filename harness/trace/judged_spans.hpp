// Which part of the time is judged: a phase, the steps that count, or the whole recording. Whether one step
// decides, and how much of a run lies outside of such steps: a rollout before each sixteenth step, say, which
// a recording of five does not show.
#pragma once

#include "harness/trace/diagnosis.hpp"
#include "harness/trace/evidence.hpp"
#include "harness/trace/trace.hpp"

namespace harness::trace {

/// By time. Needs the diagnosis' window and steps. Without steps: from the first to the last piece of the
/// device's work, or of the host's. Throws BadInput where the phase is unknown.
std::vector<Span> judged_spans(const Trace& trace, const DiagnosisQuestion& question,
                               const Diagnosis& diagnosis);

/// When the host asked for the work of these spans: they themselves, but for steps on a device that the host
/// has run ahead of; without steps from the first launch on.
std::vector<Span> asked_spans(const Trace& trace, const DiagnosisQuestion& question,
                              const Diagnosis& diagnosis, std::vector<Span> spans);

/// True by EventId for host events that start in one of the spans, and for what they launched. Where the
/// spans are the host's, work that was launched before the recording began is in none.
std::vector<bool> inside_spans(const Trace& trace, const std::vector<Span>& spans, bool of_host);

/// Notes of each judged step what the verdict would be without it, where that is not `verdict`. Of fewer than
/// three judged steps none is left out: a single step left over would decide anyway.
void leave_each_out(std::vector<StepDiagnosis>& steps, Regime verdict);

/// The longest step without which the verdict would be another, and that does not take as long as the median
/// one; nullptr where there is none.
const StepDiagnosis* deciding_step(const Diagnosis& diagnosis);

/// What the report says of it, in two sentences; "" where there is none.
std::string deciding_step_text(const Diagnosis& diagnosis);

/// That share, and the command that records the rest, in one sentence without its stop; "" where the recorder
/// timed no further steps, they are like the judged ones, or other programs had the CPUs: long steps may have
/// waited for one then.
std::string outside_text(const Diagnosis& diagnosis);

/// Of a recording without steps: how much longer the host was recorded than the device worked, as the end of
/// a sentence; "" where it was not clearly longer.
std::string beside_device_text(const Evidence& evidence);

}  // namespace harness::trace
