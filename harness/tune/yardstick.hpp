// The standard settings judge every trial: they are trained a second time at the end, so that a machine that
// has become slower or faster since the first one is noticed.
#pragma once

#include "harness/tune/search.hpp"

#include <functional>
#include <optional>
#include <span>

namespace harness::tune {

/// search(), and behind it the standard settings once more: not where a signal ended it, where they cannot be
/// trained, or where they were the last trial anyway.
Searched search_with_yardstick(const Plan& plan, const Searcher& searcher, const TrainSettings& train,
                               const Progress& progress, const std::function<Seconds()>& clock);

/// The time per sample of the standard settings in their first complete trial and in their last.
struct Drift {
  double first = 0;
  double last = 0;
  double ratio() const { return last / first; }
};
/// Nothing before two trials of them are complete.
std::optional<Drift> drift(const Plan& plan, std::span<const Tried> trials);

/// Above this share changes in the table of a search are not only those of the settings.
inline constexpr double most_drift = 0.05;

}  // namespace harness::tune
