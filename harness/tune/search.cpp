#include "harness/tune/search.hpp"

#include <algorithm>

namespace harness::tune {
namespace {

/// What no training has is not begun.
Tried impossible(const Asked& asked, std::string reason) {
  return {.number = asked.number,
          .settings = asked.settings,
          .state = State::failed,
          .answer = {},
          .reason = std::move(reason),
          .seconds = 0};
}

double longest(const std::vector<Tried>& trials) {
  double seconds = 0;
  for (const auto& tried : trials) seconds = std::max(seconds, tried.seconds);
  return seconds;
}

/// What the standard settings will take when they are trained again at the end.
double yardstick_seconds(const Plan& plan, const std::vector<Tried>& trials) {
  const auto first = std::ranges::find(trials, standard_of(plan), &Tried::settings);
  return first == trials.end() ? 0 : first->seconds;
}

/// A usual trial more than is left is not begun.
bool budget_is_spent(const Plan& plan, const Searched& so_far, const std::vector<Tried>& here, Seconds now) {
  if (!plan.budget) return false;
  const auto mean = here.empty() ? 0 : longest(here) / 2;
  return now.count() + mean + yardstick_seconds(plan, so_far.trials) >
         search_seconds(plan, slowdown(plan, so_far.trials));
}

}  // namespace

Searched search(const Plan& plan, const Searcher& searcher, const TrainSettings& train,
                const Progress& progress, const std::function<Seconds()>& clock) {
  Searched result{.trials = searcher.history()};
  std::vector<Tried> here;
  while (std::ssize(result.trials) < plan.trials) {
    if (budget_is_spent(plan, result, here, clock())) {
      result.budget_spent = true;
      break;
    }
    const auto asked = searcher.ask(result.trials);
    if (!asked) break;
    progress.begun(*asked, result.trials);
    const auto why_not = catalogue::why_not(plan.workload.clashes, asked->settings);
    const auto give_up = [&](const run::PartTrained& part) {
      // Without the standard settings' own answer nothing can be judged.
      return asked->settings != standard_of(plan) && searcher.give_up(asked->number, part);
    };
    auto ended = why_not.empty() ? train(*asked, give_up) : Ended{impossible(*asked, why_not)};
    if (ended.signal) {
      result.signal = ended.signal;
      break;
    }
    if (ended.tried.state == State::failed && asked->settings == standard_of(plan)) {
      result.without_standard = ended.tried.reason;
      break;
    }
    const auto broken = ended.tried.state == State::complete
                            ? broken_limits(plan, ended.tried.answer, standard_found(plan, result.trials))
                            : std::vector<double>();
    searcher.tell(ended.tried, broken);
    result.trials.push_back(ended.tried);
    here.push_back(ended.tried);
    progress.ended(ended.tried, result.trials);
  }
  return result;
}

}  // namespace harness::tune
