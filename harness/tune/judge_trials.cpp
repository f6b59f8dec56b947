#include "harness/tune/judge_trials.hpp"

#include "harness/core/median.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace harness::tune {
namespace {

double median_over(std::span<const Tried> trials, const Settings& settings, double run::Trained::* value) {
  std::vector<double> values;
  for (const auto& tried : trials)
    if (tried.state == State::complete && tried.settings == settings) values.push_back(tried.answer.*value);
  return median(std::move(values));
}

run::Trained answer_of(const Found& found) {
  return {.seconds_per_sample = found.seconds_per_sample, .peak_bytes = found.peak_bytes, .loss = found.loss};
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double squares(const std::vector<double>& values, double around) {
  double sum = 0;
  for (const auto value : values) sum += (value - around) * (value - around);
  return sum;
}

/// The scatter inside the groups, taken off what there is in all.
double explained(const std::map<std::string, std::vector<double>>& groups) {
  std::vector<double> all;
  double inside = 0;
  for (const auto& [value, logs] : groups) {
    all.insert(all.end(), logs.begin(), logs.end());
    inside += squares(logs, mean(logs));
  }
  const auto whole = squares(all, mean(all));
  return whole > 0 ? std::clamp(1 - inside / whole, 0.0, 1.0) : 0;
}

}  // namespace

std::vector<Found> found_in(std::span<const Tried> trials) {
  std::vector<Found> all;
  for (const auto& tried : trials) {
    if (tried.state != State::complete) continue;
    const auto known = std::ranges::find(all, tried.settings, &Found::settings);
    if (known != all.end()) {
      ++known->trials;
      continue;
    }
    all.push_back(
        {.settings = tried.settings,
         .seconds_per_sample = median_over(trials, tried.settings, &run::Trained::seconds_per_sample),
         .peak_bytes = median_over(trials, tried.settings, &run::Trained::peak_bytes),
         .loss = median_over(trials, tried.settings, &run::Trained::loss),
         .trials = 1});
  }
  return all;
}

std::optional<Found> standard_found(const Plan& plan, std::span<const Tried> trials) {
  const auto all = found_in(trials);
  const auto standard = std::ranges::find(all, standard_of(plan), &Found::settings);
  return standard == all.end() ? std::nullopt : std::optional(*standard);
}

double slowdown(const Plan& plan, std::span<const Tried> trials) {
  const auto first = std::ranges::find_if(trials, [standard = standard_of(plan)](const Tried& tried) {
    return tried.state == State::complete && tried.settings == standard;
  });
  return first == trials.end() ? 1 : std::max(1.0, first->seconds / plan.workload.seconds);
}

std::vector<double> broken_limits(const Plan& plan, const run::Trained& answer,
                                  const std::optional<Found>& standard) {
  std::vector<double> broken;
  broken.push_back(plan.memory ? answer.peak_bytes / *plan.memory - 1 : -1);
  const bool finite_loss = std::isfinite(answer.loss);
  const auto most = standard ? standard->loss + plan.margin * std::abs(standard->loss)
                             : std::numeric_limits<double>::infinity();
  if (!finite_loss)
    broken.push_back(1);
  else
    broken.push_back(standard ? (answer.loss - most) / std::max(std::abs(standard->loss), 1e-12) : -1);
  return broken;
}

std::vector<Found> best_first(const Plan& plan, std::span<const Tried> trials) {
  const auto standard = standard_found(plan, trials);
  auto all = found_in(trials);
  std::erase_if(all, [&](const Found& found) {
    return std::ranges::any_of(broken_limits(plan, answer_of(found), standard),
                               [](double share) { return share > 0; });
  });
  std::ranges::stable_sort(all, {}, &Found::seconds_per_sample);
  return all;
}

std::vector<Found> pareto_front(const Plan& plan, std::span<const Tried> trials) {
  std::vector<Found> front;
  auto smallest = std::numeric_limits<double>::infinity();
  for (const auto& found : best_first(plan, trials)) {
    if (found.peak_bytes >= smallest) continue;
    smallest = found.peak_bytes;
    front.push_back(found);
  }
  return front;
}

std::vector<Importance> importance(const Plan& plan, std::span<const Tried> trials) {
  std::vector<Importance> all;
  for (const auto& knob : searched_knobs(plan)) {
    std::map<std::string, std::vector<double>> groups;
    for (const auto& tried : trials)
      if (tried.state == State::complete)
        groups[tried.settings.at(knob.name)].push_back(std::log(tried.answer.seconds_per_sample));
    if (groups.size() > 1) all.push_back({knob.name, explained(groups)});
  }
  std::ranges::stable_sort(all, std::ranges::greater(), &Importance::share);
  return all;
}

}  // namespace harness::tune
