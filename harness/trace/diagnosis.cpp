#include "harness/trace/diagnosis.hpp"

#include "harness/core/median.hpp"
#include "harness/core/setup.hpp"
#include "harness/support/near_miss.hpp"
#include "harness/support/quantity.hpp"
#include "harness/trace/deciding_step.hpp"
#include "harness/trace/host_use.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace harness::trace {
namespace {

/// With this many steps the first and the last are left out of the verdict.
constexpr std::size_t enough_steps = 4;

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

bool within(const std::vector<Span>& spans, std::int64_t time) {
  const auto after = std::ranges::upper_bound(spans, time, {}, &Span::begin);
  return after != spans.begin() && time < std::prev(after)->end;
}

/// Host events that start in one of the spans, and what they launched.
std::vector<bool> inside_spans(const Trace& trace, const Nesting& nesting, const std::vector<Span>& spans) {
  std::vector<bool> chosen(trace.events.size());
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const auto call = nesting.launch[id];
    chosen[id] = within(spans, trace.events[call == no_event ? id : call].ts);
  }
  return chosen;
}

/// From the first to the last piece of the device's work, or of the host's: before it the program starts.
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

void describe(const Trace& trace, std::int64_t device, const std::string& peaks, Diagnosis& diagnosis) {
  diagnosis.file = trace.file;
  diagnosis.rank = trace.rank;
  diagnosis.world_size = trace.world_size;
  diagnosis.events = static_cast<std::int64_t>(trace.events.size());
  diagnosis.shapes_recorded = has_shapes(trace);
  diagnosis.simulated = trace.simulated;
  // Where no device's work was recorded the first is named: a trace of the stand-in must say what it is.
  if (device == absent && !trace.devices.empty()) diagnosis.properties = trace.devices.front();
  for (const auto& properties : trace.devices)
    if (properties.id == device) diagnosis.properties = properties;
  diagnosis.model = peaks_of(diagnosis.properties, peaks);
}

/// The device of the trace that worked longest; absent where none did.
std::int64_t working_device(const Trace& trace) {
  std::vector<std::int64_t> busy;
  for (const auto& event : trace.events) {
    if (!on_device(event.kind) || event.device < 0) continue;
    const auto at = static_cast<std::size_t>(event.device);
    if (at >= 4096) continue;
    if (at >= busy.size()) busy.resize(at + 1);
    busy[at] += std::max<std::int64_t>(event.dur, 1);
  }
  return busy.empty() ? absent : std::ranges::max_element(busy) - busy.begin();
}

bool chosen_step(std::string_view name, const WindowChoice& choice) {
  const auto number = std::atoll(std::string(name.substr(name.find('#') + 1)).c_str());
  return (!choice.first_step || number >= *choice.first_step) &&
         (!choice.last_step || number <= *choice.last_step);
}

/// Each step's own verdict, and which of them count: those asked for, else all but the first and the last
/// where there are enough.
void judge_steps(const Timeline& line, const DiagnosisQuestion& question, Diagnosis& diagnosis) {
  for (const auto& step : diagnosis.host.steps)
    if (chosen_step(step.name, question.window)) {
      const Span span{step.begin, step.end};
      StepDiagnosis judged{
          .name = step.name, .span = span, .us = step.us, .shares = shares(line, {&span, 1})};
      judged.judgement = judge(judged.shares, 1);
      diagnosis.steps.push_back(std::move(judged));
    }
  auto& steps = diagnosis.steps;
  const bool asked = question.window.all_steps || question.window.first_step || question.window.last_step;
  if (!asked && steps.size() >= enough_steps) steps.front().edge = steps.back().edge = true;
  for (auto& step : steps) step.judged = !step.edge;
}

/// A phase is looked for in the whole file unless steps were chosen.
Window phase_window(const DiagnosisQuestion& question, const Diagnosis& diagnosis) {
  return question.window.first_step ? diagnosis.window : Window{0, std::numeric_limits<std::int64_t>::max()};
}

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

RegimeVerdict no_device() {
  return {
      .evidence =
          "the trace has no device events, but it speaks of a GPU; it shows what the host did (below), but "
          "not what the device waited for",
      .would_change = "recording with ProfilerActivity.CUDA as well"};
}

}  // namespace

Diagnosis diagnose(const Trace& trace, const DiagnosisQuestion& question, const HasStep& has_step) {
  Diagnosis diagnosis;
  describe(trace, working_device(trace), question.peaks, diagnosis);
  const auto nesting = nest(trace);
  const auto& choice = question.window;
  diagnosis.window = choose_window(trace, choice);
  diagnosis.phase = question.phase;
  auto chosen = diagnosis.window.whole_file ? std::vector<bool>{} : inside(trace, nesting, diagnosis.window);
  // PyTorch's own table knows no steps: it covers the file unless steps or a phase are asked for.
  auto in_table = choice.first_step || choice.last_step ? chosen : std::vector<bool>{};
  if (!question.phase.empty())
    chosen = in_table = inside_spans(trace, nesting, judged_spans(trace, question, diagnosis));
  diagnosis.ops = op_table(trace, nesting, in_table, question.by_shape);
  diagnosis.device = device_time(trace, nesting, chosen);
  diagnosis.host = host_time(trace, nesting, chosen);
  const auto found = efforts(trace, nesting);
  auto line = timeline(trace, nesting, found, diagnosis.model.get());
  diagnosis.device_activity = !line.moments.empty();
  if (!diagnosis.device_activity) line = host_timeline(trace, nesting);
  judge_steps(line, question, diagnosis);

  Evidence evidence{trace, nesting, line, diagnosis.ops, diagnosis.device, diagnosis.host, diagnosis.kernels};
  evidence.model = diagnosis.model.get();
  evidence.spans = judged_spans(trace, question, diagnosis);
  evidence.judged = inside_spans(trace, nesting, evidence.spans);
  evidence.stepped = question.phase.empty() && !diagnosis.steps.empty();
  evidence.shares = shares(line, evidence.spans);
  diagnosis.kernels = kernel_summary(trace, evidence.judged);
  diagnosis.efforts = effort_rows(trace, found.calls, evidence.judged, diagnosis.model.get());
  diagnosis.shares = evidence.shares;
  diagnosis.judged_steps = evidence.stepped ? static_cast<std::int64_t>(evidence.spans.size()) : 0;
  diagnosis.host_judged = line.of_host && shows_work(evidence.shares);
  diagnosis.verdict = diagnosis.device_activity || line.of_host
                          ? judge(evidence.shares, diagnosis.judged_steps)
                          : no_device();
  if (evidence.stepped && diagnosis.judged()) leave_each_out(diagnosis.steps, diagnosis.verdict.regime);
  diagnosis.findings = findings_of(evidence, has_step);
  return diagnosis;
}

double step_us(const Diagnosis& diagnosis) {
  std::vector<double> lengths;
  for (const auto& step : diagnosis.steps)
    if (step.judged) lengths.push_back(step.us);
  return lengths.empty() ? 0 : median(lengths);
}

}  // namespace harness::trace
