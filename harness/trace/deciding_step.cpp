#include "harness/trace/deciding_step.hpp"

#include "harness/support/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace harness::trace {
namespace {

constexpr std::int64_t least_steps = 3;

/// The verdict over the judged steps but one.
Regime verdict_without(const std::vector<StepDiagnosis>& steps, const StepDiagnosis& left_out) {
  Shares sum;
  std::int64_t others = 0;
  for (const auto& step : steps)
    if (step.judged && &step != &left_out) {
      sum += step.shares;
      ++others;
    }
  return judge(sum, others).regime;
}

}  // namespace

void leave_each_out(std::vector<StepDiagnosis>& steps, Regime verdict) {
  if (std::ranges::count_if(steps, &StepDiagnosis::judged) < least_steps) return;
  for (auto& step : steps)
    if (const auto without = verdict_without(steps, step); step.judged && without != verdict)
      step.without = without;
}

const StepDiagnosis* deciding_step(const Diagnosis& diagnosis) {
  const StepDiagnosis* longest = nullptr;
  for (const auto& step : diagnosis.steps)
    if (step.without && (longest == nullptr || step.us > longest->us)) longest = &step;
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

}  // namespace harness::trace
