// How one series of times changed against another, taken in another session. Advice: what differs between two
// sessions (another start, another hour) is in it, so it never gates.
#pragma once

#include "harness/core/interval.hpp"
#include "harness/core/verdict.hpp"

#include <optional>
#include <span>
#include <vector>

namespace harness::compare {

/// `ratio` is new / base: below 1 is faster.
struct Change {
  Verdict verdict = Verdict::inconclusive;  // helps: faster; hurts: slower; no_effect: equal within +-delta
  double ratio = 1;
  std::optional<Interval> ratio_interval;  // empty where a series is too short for one
};

/// The ratio of two medians, from ln values. Its interval combines the order-statistic intervals of both
/// medians, each with half of alpha: exact for independent units of any two distributions, and wider than a
/// paired one. Neither series may be empty.
Change change_of(std::span<const double> base, std::span<const double> current, const Rule& rule);

/// The least number of units on each side that gives such an interval: 9 at 0.01.
int units_for_change(double alpha);

}  // namespace harness::compare
