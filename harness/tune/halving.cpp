#include "harness/tune/halving.hpp"

#include "harness/core/slot_order.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace harness::tune {
namespace {

constexpr int most_draws = 1000;

/// With n contestants the rounds take n, n/2, then 2 x n/4, 4 x n/8 trials ...
int trials_of(std::size_t contestants) {
  int all = static_cast<int>(contestants);
  int times = 1;
  for (auto left = contestants / 2; left >= 2; left /= 2, times *= 2) all += static_cast<int>(left) * times;
  return all;
}

Settings drawn(const Plan& plan, Random& random) {
  auto settings = standard_of(plan);
  for (const auto& knob : searched_knobs(plan))
    settings[knob.name] = knob.values[random.below(knob.values.size())];
  return settings;
}

int times_tried(const std::vector<Tried>& trials, const Settings& settings) {
  return static_cast<int>(std::ranges::count(trials, settings, &Tried::settings));
}

/// What keeps the limits, fastest first; then what breaks them; then what failed.
std::vector<Settings> ranked(const Plan& plan, std::vector<Settings> settings,
                             const std::vector<Tried>& trials) {
  const auto best = best_first(plan, trials);
  const auto found = found_in(trials);
  const auto place = [&](const Settings& one) {
    const auto good = std::ranges::find(best, one, &Found::settings);
    if (good != best.end()) return static_cast<double>(good - best.begin());
    const bool complete = std::ranges::find(found, one, &Found::settings) != found.end();
    return complete ? std::numeric_limits<double>::max() : std::numeric_limits<double>::infinity();
  };
  std::ranges::stable_sort(settings, {}, place);
  return settings;
}

/// The trials that came before any of these was tried more than so often: what a round was judged by.
std::vector<Tried> judged_by(const std::vector<Tried>& trials, int times) {
  std::vector<Tried> until;
  for (const auto& tried : trials)
    if (times_tried(until, tried.settings) < times) until.push_back(tried);
  return until;
}

}  // namespace

std::vector<Settings> contestants(const Plan& plan) {
  std::vector<Settings> all{standard_of(plan)};
  for (const auto& settings : advised_settings(plan)) all.push_back(settings);
  while (all.size() > 1 && trials_of(all.size()) > plan.trials) all.pop_back();
  Random random(row_seed(plan.seed, "contestants"));
  for (int draw = 0; draw < most_draws && trials_of(all.size() + 1) <= plan.trials; ++draw) {
    auto settings = drawn(plan, random);
    if (catalogue::why_not(plan.workload.clashes, settings).empty() &&
        std::ranges::find(all, settings) == all.end())
      all.push_back(std::move(settings));
  }
  return all;
}

std::optional<Asked> next_of_halving(const Plan& plan, const std::vector<Settings>& contestants,
                                     const std::vector<Tried>& trials) {
  auto left = contestants;
  for (int times = 1;; times = times == 1 ? 2 : 2 * times) {
    for (const auto& settings : left)
      if (times_tried(trials, settings) < times) return Asked{static_cast<int>(trials.size()), settings};
    if (left.size() < 4) return std::nullopt;  // half of them is the one that is looked for
    left = ranked(plan, left, judged_by(trials, times));
    left.resize(left.size() / 2);
  }
}

Searcher halving(const Plan& plan, TrialStore& store) {
  return {.name = "successive halving",
          .history = [&store] { return store.trials(); },
          .ask = [plan, all = contestants(plan)](
                     const std::vector<Tried>& trials) { return next_of_halving(plan, all, trials); },
          .give_up = [](int, const run::PartTrained&) { return false; },
          .tell = [&store](const Tried& tried, const std::vector<double>&) { store.add(tried); },
          .add =
              [&store](const Tried& tried, const std::vector<double>&) {
                store.add(tried);
                return tried.number;
              }};
}

}  // namespace harness::tune
