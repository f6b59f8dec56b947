// Findings about the run of the steps, and of the recording: a slow start, steps that differ, times that
// cannot be true.
#include "harness/trace/findings.hpp"

#include "harness/core/median.hpp"
#include "harness/support/quantity.hpp"
#include "harness/trace/device_time.hpp"
#include "harness/trace/trace_text.hpp"

#include <fmt/format.h>

#include <tuple>
#include <utility>

namespace harness::trace {
namespace {

/// A first step longer than the median by this factor is a warm-up; the advice is to leave out 10 to 50
/// steps.
constexpr double warm = 1.2;
/// Steps that differ by more than this from end to end hide an effect of usual size.
constexpr double spread_limit = 0.10;

std::vector<double> durations(const std::vector<StepTime>& steps) {
  std::vector<double> lengths;
  for (const auto& step : steps) lengths.push_back(step.us);
  std::ranges::sort(lengths);
  return lengths;
}

/// Without the step in which the program ended: how long it took says nothing of the others.
std::vector<StepTime> whole_steps(const Evidence& evidence) {
  auto steps = evidence.host.steps;
  const auto& cut_off = evidence.trace.program.cut_off;
  if (!steps.empty() && cut_off && *cut_off == number_of_step(steps.back().name)) steps.pop_back();
  return steps;
}

std::optional<Finding> warm_up(const Evidence& evidence) {
  const auto steps = whole_steps(evidence);
  if (steps.size() < 3) return std::nullopt;
  const auto lengths = durations(steps);
  const double middle = median(lengths);
  if (steps.front().us < warm * middle) return std::nullopt;
  // The recorder of `watch` has left out the program's first steps.
  const auto* why = evidence.trace.program.known
                        ? "it holds the profiler's start, or work that other steps do not have: a test, "
                          "the start of a loader"
                        : "leave out the first steps (they may hold the profiler's start, autotuning and "
                          "allocation)";
  return remark("warm_up", Severity::info,
                fmt::format("{} took {}, the median step {}; {}", steps.front().name,
                            us_text(steps.front().us), us_text(middle), why));
}

std::optional<Finding> unsteady_steps(const Evidence& evidence) {
  const auto& steps = evidence.host.steps;
  if (steps.size() < 4) return std::nullopt;
  const auto lengths = durations({steps.begin() + 1, steps.end() - 1});
  const double spread = lengths.back() - lengths.front();
  if (spread < spread_limit * median(lengths)) return std::nullopt;
  return remark("unsteady_steps", Severity::info,
                fmt::format("the steps between the first and the last take {} to {}; compare medians of many "
                            "steps, not two single steps",
                            us_text(lengths.front()), us_text(lengths.back())));
}

bool is_of_convolutions(std::string_view step) {
  return has_any(step, {"/conv_"}) || step.ends_with("_conv");
}

/// channels_last is a layout of images: with other tensors PyTorch refuses it, or does nothing.
bool is_of_images(std::string_view step) {
  return has_any(step, {"channels_last"}) || step == "format/unsupported_op";
}

/// launch/run_ahead has its operators captured, too.
bool is_of_graphs(std::string_view step) {
  return has_any(step, {"/graph_"}) || step == "stgym/cuda_graph" || step == "launch/run_ahead";
}

bool has_convolutions(const Evidence& evidence) {
  return evidence.kernels.share(KernelKind::convolution) > 0 ||
         std::ranges::any_of(evidence.trace.names, [](std::string_view name) {
           return has_any(name, {"convolution", "conv1d", "conv2d", "conv3d", "conv_"});
         });
}

/// Convolutions in one dimension have none of the layouts; where no name tells, the others are more frequent.
bool has_images(const Evidence& evidence) {
  const auto in = [&](std::string_view dimensions) {  // "2d" of aten::conv2d and aten::conv_transpose2d
    return std::ranges::any_of(evidence.trace.names, [&](std::string_view name) {
      return name.starts_with("aten::conv") && name.ends_with(dimensions);
    });
  };
  return has_convolutions(evidence) && (in("2d") || in("3d") || !in("1d"));
}

/// Findings about idle time that a program has while it loads code and sets libraries up.
bool is_of_setting_up(std::string_view id) {
  return is_any(id, {"launch_gaps", "host_operators", "outside_pytorch", "device_allocations"});
}

std::optional<Finding> impossible_times(const Evidence& evidence) {
  if (evidence.impossible.empty()) return std::nullopt;
  return remark("impossible_times", Severity::info,
                evidence.impossible + "; the recording is at fault, not your program");
}

Found step_findings(const Evidence& evidence) {
  return {warm_up(evidence), unsteady_steps(evidence), impossible_times(evidence)};
}

}  // namespace

std::string_view to_string(Severity severity) {
  constexpr std::array<std::string_view, 4> names{"info", "low", "medium", "high"};
  return names[static_cast<std::size_t>(severity)];
}

Finding remark(std::string_view id, Severity severity, std::string message, double saves_us) {
  Finding finding{
      .id = std::string(id), .severity = severity, .message = std::move(message), .saves_us = saves_us};
  if (const auto* kind = finding_kind(id)) finding.steps.assign(kind->steps.begin(), kind->steps.end());
  return finding;
}

std::optional<Finding> saving(const Evidence& evidence, std::string_view id, double us, std::string message) {
  if (share(us, evidence.window_us()) < worth_reporting) return std::nullopt;
  return mark(evidence, id, us, Severity::low, std::move(message), us);
}

Finding mark(const Evidence& evidence, std::string_view id, double us, Severity least, std::string message,
             double saves_us) {
  const double of_time = share(us, evidence.window_us());
  const auto severity = of_time >= high_share     ? Severity::high
                        : of_time >= medium_share ? Severity::medium
                                                  : Severity::low;
  return remark(id, std::max(severity, least), std::move(message), saves_us);
}

std::vector<Finding> findings_of(const Evidence& evidence, const HasStep& has_step) {
  const ThreadCalls calls(evidence);
  const bool of_host = evidence.timeline.of_host;
  const bool graphs = !of_host && !evidence.shares.may_lack_graphs();
  const bool launched = of_host || evidence.shares.launches.all > 0;
  std::vector<Finding> findings;
  const auto add = [&](Found&& found) {
    for (auto& finding : found)
      if (finding && finding_kind(finding->id)->in(of_host)) findings.push_back(std::move(*finding));
  };
  // Times that cannot be judged save nothing.
  const bool possible = can_be_judged(evidence.shares);
  if (of_host && possible) {
    add(thread_findings(evidence, calls));
  } else if (possible) {
    add(input_findings(evidence, calls));
    add(wait_findings(evidence, calls));
    add(launch_findings(evidence));
    add(optimizer_findings(evidence));
    add(kernel_findings(evidence));
  }
  const bool unrecorded = evidence.timeline.moments.empty() || too_few_kernels(evidence.shares.launches);
  if (!of_host && unrecorded) add(unrecorded_findings(evidence, calls));
  if (possible) {
    add(program_findings(evidence, calls));
    add(habit_findings(evidence, calls));
    add(repeated_work_findings(evidence, calls));
    add(model_findings(evidence, calls));
    add(collective_findings(evidence));
  }
  // What idles between first uses is setting up as well.
  if (!of_host && starts_up(evidence.shares))
    std::erase_if(findings, [](const Finding& finding) { return is_of_setting_up(finding.id); });
  // The same gaps, whose cause is known.
  if (std::ranges::find(findings, "launch_blocking", &Finding::id) != findings.end())
    std::erase_if(findings, [](const Finding& finding) { return finding.id == "launch_gaps"; });
  add(step_findings(evidence));
  const bool convolves = has_convolutions(evidence);
  const bool images = has_images(evidence);
  for (auto& finding : findings)
    std::erase_if(finding.steps, [&](const std::string& step) {
      return (!convolves && is_of_convolutions(step)) || (!images && is_of_images(step)) ||
             (has_step && !has_step(step)) || (graphs && is_of_graphs(step)) ||
             (!launched && step.starts_with("launch/"));
    });
  std::ranges::stable_sort(findings, std::ranges::greater{}, [&](const Finding& finding) {
    // Behind what saves nothing by itself but takes a share of the time that counts.
    const bool trifle =
        finding.saves_us > 0 && share(finding.saves_us, evidence.window_us()) < worth_reporting;
    return std::tuple(finding.severity, !finding_kind(finding.id)->general, !trifle, finding.saves_us);
  });
  return findings;
}

}  // namespace harness::trace
