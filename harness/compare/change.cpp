#include "harness/compare/change.hpp"

#include "harness/core/median.hpp"

#include <cmath>

namespace harness::compare {

Change change_of(std::span<const double> base, std::span<const double> current, const Rule& rule) {
  Change change;
  change.ratio = std::exp(median({current.begin(), current.end()}) - median({base.begin(), base.end()}));
  const auto before = median_interval(base, rule.alpha / 2);
  const auto after = median_interval(current, rule.alpha / 2);
  if (!before || !after) return change;
  const Interval difference{after->low - before->high, after->high - before->low};
  change.ratio_interval = Interval{std::exp(difference.low), std::exp(difference.high)};
  change.verdict = judge_interval(difference, rule.delta);
  return change;
}

int units_for_change(double alpha) {
  int units = 1;
  while (order_statistic(units, alpha / 2) == 0) ++units;
  return units;
}

}  // namespace harness::compare
