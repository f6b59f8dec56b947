// What the driver says about its clocks, and what follows for a quad: measuring.md 2.6.
#pragma once

#include <cstdint>

namespace harness {

/// True if the clocks were lowered for heat, power or a fault of the hardware: bits 0x8 (hardware slowdown),
/// 0x20 and 0x40 (thermal), 0x80 (power brake) of NVML's clocks event reasons. The whole quad is then
/// discarded: dropping only the slow slot would bias the ratio.
constexpr bool must_discard(std::uint64_t event_bits) { return (event_bits & 0xe8u) != 0; }

/// True under the software power cap (0x4), which on a card limited in power is the normal state: recorded,
/// never a reason to discard.
constexpr bool power_capped(std::uint64_t event_bits) { return (event_bits & 0x4u) != 0; }

/// How the slots of a row were disturbed, as shares.
struct Throttling {
  double discarded = 0;     // of the quads
  double capped_naive = 0;  // of that form's slots
  double capped_optimized = 0;
};

/// Any quad discarded.
constexpr bool throttled(const Throttling& seen) { return seen.discarded > 0; }
/// More than a fifth of the quads discarded: no verdict on this machine.
constexpr bool unstable(const Throttling& seen) { return seen.discarded > 0.2; }
/// One form met the power cap in a tenth of its slots more than the other: a faster form may draw more
/// power, which is a real effect and must be said.
constexpr bool power_imbalance(const Throttling& seen) {
  const auto difference = seen.capped_naive - seen.capped_optimized;
  return difference > 0.1 || difference < -0.1;
}

}  // namespace harness
