// What disturbed the rounds of a row, and what follows; and the canaries of a session: fixed work, timed in
// each round, that takes longer where the machine is disturbed (docs/measuring.md 6).
#pragma once

#include "harness/core/wall_clock.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace harness::inline core {

/// True if the clocks were lowered for heat, power or a fault of the hardware: bits 0x8 (hardware slowdown),
/// 0x20 and 0x40 (thermal), 0x80 (power brake) of NVML's clocks event reasons. The whole crossed pair of
/// quads is then discarded and taken again: dropping only the slow slot would bias the ratio.
constexpr bool must_discard(std::uint64_t event_bits) { return (event_bits & 0xe8u) != 0; }

/// True under the software power cap (0x4), which on a card limited in power is the normal state: recorded,
/// never a reason to discard.
constexpr bool power_capped(std::uint64_t event_bits) { return (event_bits & 0x4u) != 0; }

/// How a row was disturbed, as shares.
struct Disturbances {
  double discarded = 0;     // of the crossed pairs: those taken again, and those that were no better then
  double capped_naive = 0;  // of that form's slots
  double capped_optimized = 0;
  double marked = 0;  // of the rounds: a canary stood apart
  double off = 0;     // by so much in the worst of them, |ln|
  std::optional<double> sway =
      {};  // how far the log ratio moves with the disturbance: sway_of; empty: not known
};

/// Any pair discarded.
constexpr bool throttled(const Disturbances& seen) { return seen.discarded > 0; }
/// More than a fifth of the pairs discarded: no verdict on this machine.
constexpr bool unstable(const Disturbances& seen) { return seen.discarded > 0.2; }
/// More than a fifth of the rounds marked: no verdict that the sway could have made, or, where that is not
/// known, what the canary met.
constexpr bool unsteady(const Disturbances& seen) { return seen.marked > 0.2; }
/// One form met the power cap in a tenth of its slots more than the other: a faster form may draw more
/// power, which is a real effect and must be said.
constexpr bool power_imbalance(const Disturbances& seen) {
  const auto difference = seen.capped_naive - seen.capped_optimized;
  return difference > 0.1 || difference < -0.1;
}

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
