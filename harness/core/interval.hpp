// The interval of a median by order statistics, and the tests that it inverts: exact for independent values
// of any distribution.
#pragma once

#include <optional>
#include <span>
#include <vector>

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

/// One-sided p-value against "the median is at most `threshold`": P(Binomial(n, 1/2) >= values above it).
/// A value equal to the threshold speaks against the claim. 1 without values; never below 2^-n.
double p_median_above(std::span<const double> values, double threshold);

/// The same against "the median is at least `threshold`".
double p_median_below(std::span<const double> values, double threshold);

/// Against "the median lies outside of +-band": the larger of the two one-sided p-values (TOST).
double p_median_within(std::span<const double> values, double band);

/// The test for two series of given lengths. Making it costs far more than using it.
class TwoMedians {
 public:
  TwoMedians(int base_units, int units);

  /// p-value against "median(series) is at most median(base) + threshold": the smallest error at which the
  /// lower end of the one interval lies above the upper end of the other. Both must be sorted and of the
  /// lengths given; 1 where no error is large enough.
  double p_above(std::span<const double> base, std::span<const double> series, double threshold) const;
  /// The same against "median(series) is at least median(base) + threshold".
  double p_below(std::span<const double> base, std::span<const double> series, double threshold) const;

 private:
  /// The intervals [x_(k), x_(n+1-k)] of both series, and the chance that either end that counts is wrong.
  struct Level {
    std::size_t base_k;
    std::size_t k;
    double error;
  };
  std::vector<Level> levels_;  // narrower and narrower intervals
};

}  // namespace harness::inline core
