#include "harness/core/carry_over.hpp"

#include "harness/core/median.hpp"

#include <cmath>

namespace harness::inline core {

double quad_carry(const std::array<double, 4>& seconds) {
  // Positions 1 and 4 are the outer form, 2 and 3 the inner one. A steady drift of g a slot adds 3/4 g
  // through the inner pair and takes it away through the outer one.
  const auto inner = std::log(seconds[2]) - std::log(seconds[1]);
  const auto outer = std::log(seconds[3]) - std::log(seconds[0]);
  return outer / 4 - 3 * inner / 4;
}

CarryOver carry_over(std::span<const double> carry_differences) {
  if (carry_differences.empty()) return {};
  return {median({carry_differences.begin(), carry_differences.end()}),
          median_interval(carry_differences, 0.05)};
}

bool matters(const CarryOver& carry, double delta) {
  if (!carry.interval) return false;
  const bool excludes_zero = carry.interval->low > 0 || carry.interval->high < 0;
  return excludes_zero && std::abs(carry.estimate) > std::log1p(delta) / 2;
}

}  // namespace harness::inline core
