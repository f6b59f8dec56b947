// Where the noise of a row arises, and what to take more of: Kalibera and Jones, docs/measuring.md 5.
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

}  // namespace harness::inline core
