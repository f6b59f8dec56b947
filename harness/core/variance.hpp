// Where the noise of a row arises, and what to take more of: Kalibera and Jones, docs/measuring.md 5. And
// what the units of a row look like beside their median: signs that the interval tells less than it seems to.
#pragma once

#include <span>
#include <vector>

namespace harness::inline core {

/// Variances of log ratios: of one crossed pair within a launch, and of a launch as such.
struct VarianceSplit {
  double within = 0;
  double launch = 0;
};

/// From the crossed pairs of each round. Rounds need at least two pairs each, and there must be two rounds;
/// otherwise both parts are 0. `launch` is what the pairs' scatter leaves of the rounds' scatter, never below
/// 0.
VarianceSplit split_variance(std::span<const std::vector<double>> rounds);

/// The pairs per round that give the narrowest interval for the time: sqrt(launch_cost / pair_cost x within /
/// launch), rounded up, from 1 to 8. `launch_cost` is this pair's share of what a launch costs. 8 where
/// nothing arises in the launch.
int best_pairs(const VarianceSplit& split, double launch_cost, double pair_cost);

/// True if the values fall into two heaps whose means lie more than `apart` from each other: the best split
/// in two (each with 15 % of the values and at least 3) leaves less than a tenth of the sum of squares within
/// the heaps. Normal values do so in 3 of 1,000 sets of 14 units, and practically never with 28.
bool bimodal(std::span<const double> values, double apart);

/// True if the values, in the order in which they were taken, depend on each other (p < 0.001): the runs test
/// about the median, or Ljung and Box's over about ln(n) lags. The interval rests on independent units. False
/// below 14 values and for values that are all equal.
bool autocorrelated(std::span<const double> values);

}  // namespace harness::inline core
