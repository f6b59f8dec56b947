// Which part of the time is judged: a phase, the steps that count, or the whole recording.
#pragma once

#include "harness/trace/diagnosis.hpp"
#include "harness/trace/nesting.hpp"

namespace harness::trace {

/// By time. Needs the diagnosis' window and steps. Without steps: from the first to the last piece of the
/// device's work, or of the host's. Throws BadInput where the phase is unknown.
std::vector<Span> judged_spans(const Trace& trace, const DiagnosisQuestion& question,
                               const Diagnosis& diagnosis);

/// When the host asked for the work of these spans: they themselves, but for steps on a device that the host
/// has run ahead of; without steps from the first launch on.
std::vector<Span> asked_spans(const Trace& trace, const Nesting& nesting, const DiagnosisQuestion& question,
                              const Diagnosis& diagnosis, std::vector<Span> spans);

/// True if the time lies in one of the spans, which are sorted and do not overlap.
bool within(const std::vector<Span>& spans, std::int64_t time);

/// True by EventId for host events that start in one of the spans, and for what they launched. Where the
/// spans are the host's, work that was launched before the recording began is in none.
std::vector<bool> inside_spans(const Trace& trace, const Nesting& nesting, const std::vector<Span>& spans,
                               bool of_host);

}  // namespace harness::trace
