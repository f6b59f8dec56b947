// The interval of a median by order statistics: exact for independent values of any distribution.
#pragma once

#include <optional>
#include <span>

namespace harness::inline core {

/// A closed interval; low <= high.
struct Interval {
  double low = 0;
  double high = 0;
  bool operator==(const Interval&) const = default;
};

/// The largest k with 2 P(Binomial(n, 1/2) <= k - 1) <= alpha; 0 where n values cannot reach alpha.
int order_statistic(int n, double alpha);

/// The true two-sided error of the interval [x_(k), x_(n+1-k)].
double interval_error(int n, int k);

/// [x_(k), x_(n+1-k)] of the values, with k from `alpha`; nothing where there are too few values.
std::optional<Interval> median_interval(std::span<const double> values, double alpha);

/// 1.4826 x the median absolute deviation: the standard deviation of normal values, deaf to a few wild ones.
double robust_sd(std::span<const double> values);

/// The median of all pairwise means (each value with itself included).
double hodges_lehmann(std::span<const double> values);

}  // namespace harness::inline core
