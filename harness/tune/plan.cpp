#include "harness/tune/plan.hpp"

#include <algorithm>

namespace harness::tune {

Settings standard_of(const Plan& plan) {
  Settings settings;
  for (const auto& knob : plan.knobs) settings[knob.name] = knob.standard;
  for (const auto& [name, value] : plan.fixed) settings[name] = value;
  return settings;
}

std::vector<catalogue::Knob> searched_knobs(const Plan& plan) {
  auto knobs = plan.knobs;
  std::erase_if(knobs,
                [&](const auto& knob) { return plan.fixed.contains(knob.name) || knob.values.size() < 2; });
  return knobs;
}

std::vector<Settings> advised_settings(const Plan& plan) {
  const auto standard = standard_of(plan);
  std::vector<Settings> all;
  const auto add = [&](const Settings& settings) {
    if (catalogue::why_not(plan.workload.clashes, settings).empty() &&
        std::ranges::find(all, settings) == all.end() && settings != standard)
      all.push_back(settings);
  };
  auto together = standard;
  for (const auto& knob : searched_knobs(plan)) {
    if (knob.advice.empty()) continue;
    auto alone = standard;
    alone[knob.name] = knob.advice;
    add(alone);
    auto with_this = together;
    with_this[knob.name] = knob.advice;
    if (catalogue::why_not(plan.workload.clashes, with_this).empty()) together = with_this;
  }
  add(together);
  return all;
}

double size_of(const Plan& plan) {
  double size = 1;
  for (const auto& knob : searched_knobs(plan)) size *= static_cast<double>(knob.values.size());
  return size;
}

double search_seconds(const Plan& plan, double slowdown) {
  constexpr double least_share = 0.3;
  const auto budget = plan.budget->count();
  const auto proof = static_cast<double>(catalogue::most_settings) * plan.row_seconds * slowdown;
  return budget * std::clamp(1 - proof / budget, least_share, search_share);
}

std::size_t affordable_candidates(const Plan& plan, double slowdown, double seconds) {
  const auto most = static_cast<double>(catalogue::most_settings);
  const auto each = plan.row_seconds * slowdown;
  return static_cast<std::size_t>(each > 0 ? std::clamp(seconds / each, 1.0, most) : most);
}

Json plan_to_json(const Plan& plan) {
  auto knobs = Json::object();
  for (const auto& knob : searched_knobs(plan)) knobs[knob.name] = knob.values;
  return {{"workload", plan.workload.workload},
          {"knobs", std::move(knobs)},
          {"fixed", settings_to_json(plan.fixed)},
          {"options", settings_to_json(plan.options)},
          {"device", to_string(plan.device)},
          {"threads", plan.threads},
          {"seed", plan.seed},
          {"amount", plan.workload.amount},
          {"pareto", plan.pareto},
          {"memory", plan.memory ? Json(*plan.memory) : Json()},
          {"margin", plan.margin}};
}

}  // namespace harness::tune
