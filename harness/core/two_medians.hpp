// Whether one median lies beyond another: the test that the joined order-statistic intervals of two
// independent series invert.
#pragma once

#include <span>
#include <vector>

namespace harness::inline core {

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
