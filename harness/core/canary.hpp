// The canaries of a session: fixed work, timed in each round, that takes longer where the machine is
// disturbed (docs/measuring.md 6).
#pragma once

#include <span>
#include <vector>

namespace harness::inline core {

/// Which rounds stood apart.
struct CanaryReport {
  std::vector<bool> marked;  // one a round
  double largest = 0;        // |ln| of how far the worst of them was off
};

/// A round is marked where the median of its canary is more than 3 % off the median over the rounds. Rounds
/// in which the canary was not timed are left as they are.
CanaryReport canary_report(std::span<const std::vector<double>> seconds);

}  // namespace harness::inline core
