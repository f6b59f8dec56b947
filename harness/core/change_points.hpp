// Where a series of measurements moved for good: E-divisive with a t-test, docs/measuring.md 10. Advice: the
// paired gate decides.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace harness::inline core {

/// Welch's two-sided t-test with sample variances. 1 for fewer than two values on a side; for values without
/// any scatter 0 where the means differ, else 1.
double welch_p(std::span<const double> a, std::span<const double> b);

/// A lasting move of the level. `shift` is the difference of the means of the segments on both sides.
struct ChangePoint {
  std::size_t at = 0;  // index of the first value of the new level
  double shift = 0;
  double p = 1;
};

/// What counts as one.
struct ChangeRule {
  double least_shift = 0.03;  // in the unit of the series: 0.03 of ln(seconds) is 3 %
  double p = 0.001;
  std::size_t segment = 5;  // values that a level needs at least
  std::size_t window = 50;  // values that are looked at together
};

/// In rising order.
std::vector<ChangePoint> change_points(std::span<const double> series, const ChangeRule& rule = {});

}  // namespace harness::inline core
