// What disturbed the rounds of a row, and what follows (docs/measuring.md 6).
#pragma once

#include <cstdint>
#include <optional>

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
      {};  // how far the log ratio moves with the disturbance: sway_of (canary.hpp); empty: not known
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

}  // namespace harness::inline core
