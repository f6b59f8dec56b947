#include "harness/trace/diagnosis.hpp"

#include "harness/core/median.hpp"
#include "harness/support/quantity.hpp"
#include "harness/trace/host_use.hpp"
#include "harness/trace/impossible.hpp"
#include "harness/trace/judged_spans.hpp"
#include "harness/trace/program_advice.hpp"
#include "harness/trace/trace_text.hpp"

#include <fmt/format.h>

namespace harness::trace {
namespace {

/// With this many steps the first and the last are left out of the verdict.
constexpr std::size_t enough_steps = 4;

void describe(const Trace& trace, std::int64_t device, const std::string& peaks, Diagnosis& diagnosis) {
  diagnosis.file = trace.file;
  diagnosis.rank = trace.rank;
  diagnosis.world_size = trace.world_size;
  diagnosis.events = static_cast<std::int64_t>(trace.events.size());
  diagnosis.shapes_recorded = has_shapes(trace);
  diagnosis.simulated = trace.simulated;
  diagnosis.remarks = trace.remarks;
  diagnosis.program = trace.program;
  // Where no device's work was recorded the first is named: a trace of the stand-in must say what it is.
  if (device == absent && !trace.devices.empty()) diagnosis.properties = trace.devices.front();
  // A device of AMD's that is alone may be counted behind the CPUs in events, and as 0 in the list.
  if (trace.devices.size() == 1) diagnosis.properties = trace.devices.front();
  for (const auto& properties : trace.devices)
    if (properties.id == device) diagnosis.properties = properties;
  diagnosis.model = peaks_of(diagnosis.properties, peaks);
}

bool chosen_step(std::string_view name, const WindowChoice& choice) {
  const auto number = number_of_step(name);
  return (!choice.first_step || number >= *choice.first_step) &&
         (!choice.last_step || number <= *choice.last_step);
}

/// Why the times cannot be judged, held against the mean step, or the whole time; "" they can.
std::string doubt_of(const Timeline& line, std::size_t steps, const Impossible& found) {
  if (line.moments.empty()) return "";
  const double us = us_of(line.moments.back().end - line.moments.front().begin);
  return line.of_host ? host_doubt(found, us) : doubt(found, us, steps);
}

/// Marks those that the verdict leaves out: the first and the last where there are enough, and the one in
/// which the program ended, which also holds what came after the training.
void mark_edges(std::optional<std::int64_t> cut_off, std::vector<StepDiagnosis>& steps) {
  if (steps.size() >= enough_steps) steps.front().edge = steps.back().edge = true;
  if (steps.size() > 1 && cut_off == number_of_step(steps.back().name))
    steps.back().cut_off = steps.back().edge = true;
}

/// Each step's own verdict, and which of them count: those asked for, else those that are no edges.
void judge_steps(const Trace& trace, const Timeline& line, const DiagnosisQuestion& question,
                 Diagnosis& diagnosis) {
  for (const auto& step : diagnosis.host.steps)
    if (chosen_step(step.name, question.window)) {
      StepDiagnosis judged{
          .name = step.name, .span = step.timed, .asked = {step.begin, step.end}, .us = step.us};
      judged.shares = shares(line, {&judged.span, 1}, {&judged.asked, 1});
      judged.judgement = judge(judged.shares, 1);
      diagnosis.steps.push_back(std::move(judged));
    }
  auto& steps = diagnosis.steps;
  const bool asked = question.window.all_steps || question.window.first_step || question.window.last_step;
  if (!asked) mark_edges(trace.program.cut_off, steps);
  for (auto& step : steps) step.judged = !step.edge;
}

/// Kernels that the profiler lost, of the whole recording, where the verdict does not speak of them.
void note_lost(const Timeline& line, Diagnosis& diagnosis) {
  const auto& judged = diagnosis.shares.launches;
  if (diagnosis.shares.doubt.empty() && too_few_kernels(judged) && judged.lost > judged.captured) return;
  const auto text = lost_text(count_all(line.launches));
  if (!text.empty()) diagnosis.remarks.push_back(text);
}

/// The whole trace but for events that cannot be true, which the caller has left out.
Diagnosis diagnose_possible(const Trace& trace, const Impossible& found_impossible,
                            const DiagnosisQuestion& question, const HasStep& has_step) {
  Diagnosis diagnosis;
  const auto device = working_device(trace);
  describe(trace, device, question.peaks, diagnosis);
  const auto& choice = question.window;
  diagnosis.window = choose_window(trace, choice);
  diagnosis.phase = question.phase;
  auto chosen = diagnosis.window.whole_file ? std::vector<bool>{} : inside(trace, diagnosis.window);
  // PyTorch's own table knows no steps: it covers the file unless steps or a phase are asked for.
  auto in_table = choice.first_step || choice.last_step ? chosen : std::vector<bool>{};
  if (!question.phase.empty())
    chosen = in_table = inside_spans(trace, judged_spans(trace, question, diagnosis), true);
  diagnosis.ops = op_table(trace, in_table, question.by_shape);
  diagnosis.device = device_time(trace, chosen);
  diagnosis.host = host_time(trace, chosen);
  if (clocks_differ(found_impossible)) {
    diagnosis.host.launches.clocks_agree = false;
    diagnosis.host.queues.clear();
  }
  const auto found = efforts(trace);
  auto line = timeline(trace, found, diagnosis.model.get());
  diagnosis.device_activity = !line.moments.empty();
  if (causes_are_unknown(found_impossible)) forget_causes(line);
  if (!diagnosis.device_activity) line = host_timeline(trace);
  line.doubt = doubt_of(line, diagnosis.host.steps.size(), found_impossible);
  judge_steps(trace, line, question, diagnosis);

  Evidence evidence{trace, line, diagnosis.ops, diagnosis.device, diagnosis.host, diagnosis.kernels};
  evidence.model = diagnosis.model.get();
  evidence.device = diagnosis.properties;
  evidence.impossible = impossible_text(found_impossible);
  evidence.spans = judged_spans(trace, question, diagnosis);
  evidence.stepped = question.phase.empty() && !diagnosis.steps.empty();
  const auto requests = asked_spans(trace, question, diagnosis, evidence.spans);
  evidence.judged = inside_spans(trace, requests, evidence.stepped || !question.phase.empty());
  evidence.shares = shares(line, evidence.spans, requests);
  diagnosis.kernels = kernel_summary(trace, evidence.judged);
  diagnosis.groups = line.of_host ? thread_groups(trace, evidence.judged, evidence.shares[Use::communication])
                                  : device_groups(trace, evidence.judged, diagnosis.kernels);
  diagnosis.efforts = effort_rows(trace, found.calls, evidence.judged, diagnosis.model.get());
  diagnosis.shares = evidence.shares;
  diagnosis.judged_steps = evidence.stepped ? static_cast<std::int64_t>(evidence.spans.size()) : 0;
  diagnosis.host_judged = line.of_host && shows_work(evidence.shares, evidence.stepped);
  diagnosis.verdict = diagnosis.device_activity || line.of_host
                          ? judge(evidence.shares, diagnosis.judged_steps)
                          : no_device(trace);
  if (diagnosis.device_activity) note_lost(line, diagnosis);
  const auto by_shares = diagnosis.verdict.regime;
  advise(evidence, diagnosis.verdict);
  if (diagnosis.device_activity && !evidence.stepped && question.phase.empty() &&
      diagnosis.verdict.regime != Regime::unknown)
    diagnosis.verdict.evidence += beside_device_text(evidence);
  // Where more is known than the shares no step has decided it.
  if (evidence.stepped && diagnosis.judged() && diagnosis.verdict.regime == by_shares)
    leave_each_out(diagnosis.steps, by_shares);
  diagnosis.findings = findings_of(evidence, has_step);
  const bool blocking =
      std::ranges::find(diagnosis.findings, "launch_blocking", &Finding::id) != diagnosis.findings.end();
  if (blocking && diagnosis.verdict.regime == Regime::overhead)
    diagnosis.verdict.would_change = "launches that do not block: CUDA_LAUNCH_BLOCKING unset";
  return diagnosis;
}

}  // namespace

Diagnosis diagnose(const Trace& trace, const DiagnosisQuestion& question, const HasStep& has_step) {
  const auto found = impossible(trace);
  if (found.events.empty()) return diagnose_possible(trace, found, question, has_step);
  return diagnose_possible(without(trace, found.events), found, question, has_step);
}

double step_us(const Diagnosis& diagnosis) {
  std::vector<double> lengths;
  for (const auto& step : diagnosis.steps)
    if (step.judged) lengths.push_back(step.us);
  return lengths.empty() ? 0 : median(lengths);
}

}  // namespace harness::trace
