#include "harness/trace/judged_spans.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/near_miss.hpp"
#include "harness/trace/waits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace harness::trace {
namespace {

/// The ranges of that name on the host that begin in the window, disjoint and by time.
std::vector<Span> phase_spans(const Trace& trace, std::string_view phase, const Window& window) {
  std::vector<Span> spans;
  std::vector<std::string> names;
  for (const auto& event : trace.events) {
    if (event.kind != Kind::user_annotation && event.kind != Kind::cpu_op &&
        event.kind != Kind::python_function)
      continue;
    const bool chosen = event.ts >= window.begin && event.ts < window.end;
    if (chosen && trace.name(event) == phase) spans.push_back({event.ts, event.end()});
    if (event.kind == Kind::user_annotation) names.emplace_back(trace.name(event));
  }
  if (spans.empty()) {
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());  // clang 14 cannot read ranges::unique
    throw BadInput(fmt::format("{} has no phase '{}'{}{}", trace.file, phase,
                               window.whole_file ? "" : " in these steps",
                               did_you_mean(std::string(phase), names)));
  }
  std::ranges::sort(spans, {}, &Span::begin);
  std::vector<Span> disjoint;
  for (const auto& span : spans)
    if (disjoint.empty() || span.begin >= disjoint.back().end) disjoint.push_back(span);
  return disjoint;
}

Span recording(const Trace& trace) {
  const bool device =
      std::ranges::any_of(trace.events, [](const Event& event) { return on_device(event.kind); });
  Span all{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  for (const auto& event : trace.events) {
    if (event.kind == Kind::profiler || event.kind == Kind::other || event.kind == Kind::overhead) continue;
    if (device && !on_device(event.kind)) continue;
    all.begin = std::min(all.begin, event.ts);
    all.end = std::max(all.end, event.end());
  }
  return all.begin <= all.end ? all : Span{};
}

/// A phase is looked for in the whole file unless steps were chosen.
Window phase_window(const DiagnosisQuestion& question, const Diagnosis& diagnosis) {
  return question.window.first_step ? diagnosis.window : Window{0, std::numeric_limits<std::int64_t>::max()};
}

}  // namespace

std::vector<Span> judged_spans(const Trace& trace, const DiagnosisQuestion& question,
                               const Diagnosis& diagnosis) {
  if (!question.phase.empty()) return phase_spans(trace, question.phase, phase_window(question, diagnosis));
  std::vector<Span> spans;
  for (const auto& step : diagnosis.steps)
    if (step.judged) spans.push_back(step.span);
  std::ranges::sort(spans, {}, &Span::begin);
  if (spans.empty()) spans.push_back(recording(trace));
  return spans;
}

namespace {

/// When the host asked for the first piece of the device's work, which may begin much later.
std::int64_t first_request(const Trace& trace, const Nesting& nesting) {
  auto first = std::numeric_limits<std::int64_t>::max();
  for (EventId id = 0; id < trace.events.size(); ++id) {
    if (!on_device(trace.events[id].kind) || nesting.launch[id] == no_event) continue;
    const auto asker = asking_op(trace, nesting, nesting.launch[id]);
    first = std::min(first, trace.events[asker == no_event ? nesting.launch[id] : asker].ts);
  }
  return first;
}

/// When the first piece of work began whose call was recorded; 0 where the trace joins none.
std::int64_t first_joined(const Trace& trace, const Nesting& nesting) {
  auto first = std::numeric_limits<std::int64_t>::max();
  for (EventId id = 0; id < trace.events.size(); ++id)
    if (on_device(trace.events[id].kind) && nesting.launch[id] != no_event)
      first = std::min(first, trace.events[id].ts);
  return first == std::numeric_limits<std::int64_t>::max() ? 0 : first;
}

}  // namespace

bool within(const std::vector<Span>& spans, std::int64_t time) {
  const auto after = std::ranges::upper_bound(spans, time, {}, &Span::begin);
  return after != spans.begin() && time < std::prev(after)->end;
}

std::vector<Span> asked_spans(const Trace& trace, const Nesting& nesting, const DiagnosisQuestion& question,
                              const Diagnosis& diagnosis, std::vector<Span> spans) {
  if (!question.phase.empty()) return spans;
  if (diagnosis.steps.empty()) {
    spans.front().begin = std::min(spans.front().begin, first_request(trace, nesting));
    return spans;
  }
  spans.clear();
  for (const auto& step : diagnosis.steps)
    if (step.judged) spans.push_back(step.asked);
  std::ranges::sort(spans, {}, &Span::begin);
  return spans;
}

std::vector<bool> inside_spans(const Trace& trace, const Nesting& nesting, const std::vector<Span>& spans,
                               bool of_host) {
  const auto earlier = of_host ? first_joined(trace, nesting) : 0;
  std::vector<bool> chosen(trace.events.size());
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const auto& event = trace.events[id];
    const auto call = nesting.launch[id];
    if (call == no_event && on_device(event.kind) && event.ts < earlier) continue;
    chosen[id] = within(spans, call == no_event ? event.ts : trace.events[call].ts);
  }
  return chosen;
}

}  // namespace harness::trace
