#include "harness/trace/judged_spans.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/near_miss.hpp"
#include "harness/support/quantity.hpp"
#include "harness/trace/host_figures.hpp"
#include "harness/trace/program_advice.hpp"

#include <fmt/format.h>

#include <cmath>

namespace harness::trace {
namespace {

/// The ranges of that name on the host that begin in the window, disjoint and by time.
std::vector<Span> phase_spans(const Trace& trace, std::string_view phase, const Window& window) {
  std::vector<Span> spans;
  std::vector<std::string> names;
  for (const auto& event : trace.events) {
    if (!is_range(event.kind) && event.kind != Kind::python_function) continue;
    const bool chosen = event.ts >= window.begin && event.ts < window.end;
    if (chosen && trace.name(event) == phase) spans.push_back(event.span());
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
  const auto all = span_of(trace, [&](const Event& event) {
    const auto kind = event.kind;
    return device ? on_device(kind) : kind != Kind::profiler && kind != Kind::other && kind != Kind::overhead;
  });
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
std::int64_t first_request(const Trace& trace) {
  auto first = std::numeric_limits<std::int64_t>::max();
  for (EventId id = 0; id < trace.events.size(); ++id) {
    if (!on_device(trace.events[id].kind) || trace.nesting.launch[id] == no_event) continue;
    const auto asker = asking_op(trace, trace.nesting.launch[id]);
    first = std::min(first, trace.events[asker == no_event ? trace.nesting.launch[id] : asker].ts);
  }
  return first;
}

/// When the first piece of work began whose call was recorded; 0 where the trace joins none.
std::int64_t first_joined(const Trace& trace) {
  auto first = std::numeric_limits<std::int64_t>::max();
  for (EventId id = 0; id < trace.events.size(); ++id)
    if (on_device(trace.events[id].kind) && trace.nesting.launch[id] != no_event)
      first = std::min(first, trace.events[id].ts);
  return first == std::numeric_limits<std::int64_t>::max() ? 0 : first;
}

}  // namespace

std::vector<Span> asked_spans(const Trace& trace, const DiagnosisQuestion& question,
                              const Diagnosis& diagnosis, std::vector<Span> spans) {
  if (!question.phase.empty()) return spans;
  if (diagnosis.steps.empty()) {
    spans.front().begin = std::min(spans.front().begin, first_request(trace));
    return spans;
  }
  spans.clear();
  for (const auto& step : diagnosis.steps)
    if (step.judged) spans.push_back(step.asked);
  std::ranges::sort(spans, {}, &Span::begin);
  return spans;
}

std::vector<bool> inside_spans(const Trace& trace, const std::vector<Span>& spans, bool of_host) {
  const auto earlier = of_host ? first_joined(trace) : 0;
  std::vector<bool> chosen(trace.events.size());
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const auto& event = trace.events[id];
    const auto call = trace.nesting.launch[id];
    if (call == no_event && on_device(event.kind) && event.ts < earlier) continue;
    chosen[id] = within(spans, call == no_event ? event.ts : trace.events[call].ts);
  }
  return chosen;
}

namespace {

constexpr std::size_t least_steps = 3;
/// A step that takes about as long as the median one decides nothing: the verdict is close without it, too.
constexpr double like_the_median = 0.05;

}  // namespace

void leave_each_out(std::vector<StepDiagnosis>& steps, Regime verdict) {
  std::vector<StepDiagnosis*> judged;
  for (auto& step : steps)
    if (step.judged) judged.push_back(&step);
  if (judged.size() < least_steps) return;
  // Sums from both ends, not one over the others for each: a trace may have 100,000 steps.
  std::vector<Shares> behind(judged.size() + 1);
  for (auto i = judged.size(); i-- > 0;) (behind[i] = behind[i + 1]) += judged[i]->shares;
  Shares before;
  for (std::size_t i = 0; i < judged.size(); ++i) {
    auto others = before;
    others += behind[i + 1];
    const auto without = judge(others, static_cast<std::int64_t>(judged.size()) - 1).regime;
    if (without != verdict) judged[i]->without = without;
    before += judged[i]->shares;
  }
}

const StepDiagnosis* deciding_step(const Diagnosis& diagnosis) {
  const StepDiagnosis* longest = nullptr;
  const double middle = step_us(diagnosis);
  for (const auto& step : diagnosis.steps)
    if (step.without && std::abs(step.us - middle) > like_the_median * middle &&
        (longest == nullptr || step.us > longest->us))
      longest = &step;
  return longest;
}

std::string deciding_step_text(const Diagnosis& diagnosis) {
  const auto* step = deciding_step(diagnosis);
  if (step == nullptr) return "";
  return fmt::format(
      "One step decides this: without {} ({}; the median step takes {}) the verdict would be {}. Record more "
      "steps to be sure.",
      step->name, us_text(step->us), us_text(step_us(diagnosis)), to_string(*step->without));
}

namespace {

/// The run's mean step is longer by this factor, or nothing is said.
constexpr double clearly_longer = 1.3;
/// One long step may be an accident of the machine's.
constexpr std::int64_t least_long_steps = 2;
/// Of steps that a recording is advised to have; the first and the last of them are not judged.
constexpr std::int64_t most_steps = 200;
constexpr std::int64_t edges = 2;

/// The share of the time that the long steps take beyond a judged one; 0 where they do not explain why the
/// mean step is longer: all steps may have become slower.
double share_outside(const Pace& pace, double judged_s) {
  const double longer_s = pace.seconds - static_cast<double>(pace.steps) * judged_s;
  const double outside_s = pace.long_seconds - static_cast<double>(pace.long_steps) * judged_s;
  const bool clear = pace.seconds >= clearly_longer * static_cast<double>(pace.steps) * judged_s;
  const bool few = pace.long_steps >= least_long_steps && 2 * pace.long_steps <= pace.steps;
  return clear && few && outside_s > majority * longer_s ? outside_s / pace.seconds : 0;
}

}  // namespace

std::string outside_text(const Diagnosis& diagnosis) {
  const auto& pace = diagnosis.program.pace;
  if (!pace || diagnosis.judged_steps == 0 || is_held_back(diagnosis.program)) return "";
  const double judged_s = diagnosis.shares.window_us / 1e6 / static_cast<double>(diagnosis.judged_steps);
  const double outside = judged_s > 0 ? share_outside(*pace, judged_s) : 0;
  if (outside <= 0) return "";
  auto text =
      fmt::format("{} of the run's time lies outside of steps like these (evaluation, rollout, checkpoint)",
                  share_text(outside));
  if (pace->apart + edges <= most_steps)
    text += fmt::format("; `tuneproof watch --steps {}` records them", pace->apart + edges);
  return text;
}

std::string beside_device_text(const Evidence& evidence) {
  constexpr double twice = 2;
  const auto host = span_of(
      evidence.trace, [](const Event& event) { return is_range(event.kind) || event.kind == Kind::runtime; });
  const double recorded_us = host.end > host.begin ? static_cast<double>(host.length()) / 1e3 : 0;
  if (recorded_us < twice * evidence.window_us()) return "";
  return fmt::format(
      "; the host was recorded for {}: what it did before and after the device's work is not judged",
      us_text(recorded_us));
}

}  // namespace harness::trace
