#include "harness/trace/deciding_step.hpp"

#include "harness/support/quantity.hpp"

#include <fmt/format.h>

#include <cmath>

namespace harness::trace {
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

}  // namespace harness::trace
