// Does a form suffer more than the other from running after it? Read from the ABBA and BAAB quads at no cost:
// docs/measuring.md 6. What both suffer alike (finding the caches full of the other set's buffers, say) is in
// both forms' times equally often and cancels in their ratio; measured with copies of 64 MiB, it is 2 %.
#pragma once

#include "harness/core/interval.hpp"

#include <array>
#include <optional>
#include <span>

namespace harness::inline core {

/// How much slower, in ln(time), the slots of one quad are that follow the other form (second and fourth)
/// than the one that follows its own (third). Each form's own level is taken off, and a steady drift cancels.
/// It is the inner form's three times out of four.
double quad_carry(const std::array<double, 4>& seconds);

/// The carry-over of the optimized form less that of the naive one, over the units of a row.
struct CarryOver {
  double estimate = 0;               // ln(time); median over the units
  std::optional<Interval> interval;  // 95 %; empty below six units
};
CarryOver carry_over(std::span<const double> carry_differences);

/// True if the interval excludes 0 and the effect is larger than half the smallest change of interest.
bool matters(const CarryOver& carry, double delta);

}  // namespace harness::inline core
