#include "harness/tune/yardstick.hpp"

namespace harness::tune {
namespace {

bool rests_on_an_early_trial(const Plan& plan, const Searched& searched) {
  return !searched.signal && searched.without_standard.empty() && standard_found(plan, searched.trials) &&
         searched.trials.back().settings != standard_of(plan);
}

}  // namespace

Searched search_with_yardstick(const Plan& plan, const Searcher& searcher, const TrainSettings& train,
                               const Progress& progress, const std::function<Seconds()>& clock) {
  auto searched = search(plan, searcher, train, progress, clock);
  if (!rests_on_an_early_trial(plan, searched)) return searched;
  auto& trials = searched.trials;
  const Asked again{static_cast<int>(trials.size()), standard_of(plan)};
  progress.begun(again, trials);
  auto ended = train(again, [](const run::PartTrained&) { return false; });
  searched.signal = ended.signal;
  if (ended.signal) return searched;
  const auto broken = ended.tried.state == State::complete
                          ? broken_limits(plan, ended.tried.answer, standard_found(plan, trials))
                          : std::vector<double>();
  ended.tried.number = searcher.add(ended.tried, broken);
  trials.push_back(ended.tried);
  progress.ended(ended.tried, trials);
  return searched;
}

std::optional<Drift> drift(const Plan& plan, std::span<const Tried> trials) {
  std::vector<double> seconds;
  for (const auto& tried : trials)
    if (tried.state == State::complete && tried.settings == standard_of(plan))
      seconds.push_back(tried.answer.seconds_per_sample);
  if (seconds.size() < 2) return std::nullopt;
  return Drift{seconds.front(), seconds.back()};
}

}  // namespace harness::tune
