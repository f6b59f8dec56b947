// Findings about the run of the steps: a slow start, steps that differ.
#include "harness/support/quantity.hpp"
#include "harness/trace/findings.hpp"

#include <fmt/format.h>

#include <algorithm>

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

double median_of(const std::vector<double>& sorted) {
  return (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
}

std::optional<Finding> warm_up(const Evidence& evidence) {
  const auto& steps = evidence.host.steps;
  if (steps.size() < 3) return std::nullopt;
  const auto lengths = durations(steps);
  const double median = median_of(lengths);
  if (steps.front().us < warm * median) return std::nullopt;
  return remark("warm_up", Severity::info,
                fmt::format("{} took {}, the median step {}; leave out the first steps (they hold the "
                            "profiler's start, autotuning and allocation)",
                            steps.front().name, us_text(steps.front().us), us_text(median)));
}

std::optional<Finding> unsteady_steps(const Evidence& evidence) {
  const auto& steps = evidence.host.steps;
  if (steps.size() < 4) return std::nullopt;
  const auto lengths = durations({steps.begin() + 1, steps.end() - 1});
  const double median = median_of(lengths);
  const double spread = lengths.back() - lengths.front();
  if (spread < spread_limit * median) return std::nullopt;
  return remark("unsteady_steps", Severity::info,
                fmt::format("the steps between the first and the last take {} to {}; compare medians of many "
                            "steps, not two single steps",
                            us_text(lengths.front()), us_text(lengths.back())));
}

}  // namespace

Found step_findings(const Evidence& evidence) { return {warm_up(evidence), unsteady_steps(evidence)}; }

}  // namespace harness::trace
