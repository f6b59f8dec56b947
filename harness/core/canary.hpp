// The canaries of a session: fixed work, timed in each round, that takes longer where the machine is
// disturbed (docs/measuring.md 6). cuda/cuda_canary.hpp has the device's.
#pragma once

#include "harness/core/slot.hpp"

#include <optional>
#include <span>

namespace harness::inline core {

/// Seconds of a chain of multiplications in which each needs the one before: neither memory nor the number of
/// cores has a part in it. About 5 ms.
inline double canary_seconds() {
  constexpr int links = 4'000'000;
  return host_seconds([] {
    std::uint64_t state = 1;
    for (int i = 0; i < links; ++i) state = state * 6364136223846793005u + 1442695040888963407u;
    [[maybe_unused]] volatile std::uint64_t kept = state;  // else the loop is left out
  });
}

/// How far the medians of the calmer and of the busier half of the rounds lie apart, where they do so by more
/// than chance (Mood's median test, p < 0.05); else 0. `canaries` says for each round how long its canary
/// took. Nothing below six rounds.
std::optional<double> sway_of(std::span<const double> canaries, std::span<const double> log_ratios);

/// Which rounds stood apart.
struct CanaryReport {
  std::vector<bool> marked;  // one a round
  double largest = 0;        // |ln| of how far the worst of them was off
};

/// A round is marked where the median of its canary is more than 3 % off the median over the rounds. Rounds
/// in which the canary was not timed are left as they are.
CanaryReport canary_report(std::span<const std::vector<double>> seconds);

}  // namespace harness::inline core
