// Does a slot depend on which form ran before it? Read from the ABBA quads at no cost: measuring.md 2.1.
#pragma once

#include "harness/stats/interval.hpp"

#include <array>
#include <optional>
#include <span>

namespace harness {

/// How much slower, in ln(time), the slots of one quad are that follow the other form (second and fourth)
/// than the one that follows its own (third). Each form's own level is taken off, and a steady drift cancels.
double quad_carry(const std::array<double, 4>& seconds);

/// The effect over the units of a row.
struct CarryOver {
  double estimate = 0;               // median over the units
  std::optional<Interval> interval;  // 95 %; empty below six units
};
CarryOver carry_over(std::span<const double> unit_carries);

/// True if the interval excludes 0 and the effect is larger than half the smallest change of interest.
bool matters(const CarryOver& carry, double delta);

}  // namespace harness
