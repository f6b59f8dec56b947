#include "harness/core/two_medians.hpp"

#include "harness/core/interval.hpp"

#include <algorithm>

namespace harness::inline core {

TwoMedians::TwoMedians(int base_units, int units) {
  for (int k = 1; k <= units / 2; ++k) {
    // Two-sided, so each of the two ends that count is wrong with at most half of it.
    const auto error = interval_error(units, k);
    const auto base_k = order_statistic(base_units, error);
    if (base_k > 0) levels_.push_back({static_cast<std::size_t>(base_k), static_cast<std::size_t>(k), error});
  }
}

double TwoMedians::p_above(std::span<const double> base, std::span<const double> series,
                           double threshold) const {
  const auto found = std::ranges::find_if(levels_, [&](const Level& level) {
    return series[level.k - 1] > base[base.size() - level.base_k] + threshold;
  });
  return found == levels_.end() ? 1 : found->error;
}

double TwoMedians::p_below(std::span<const double> base, std::span<const double> series,
                           double threshold) const {
  const auto found = std::ranges::find_if(levels_, [&](const Level& level) {
    return series[series.size() - level.k] < base[level.base_k - 1] + threshold;
  });
  return found == levels_.end() ? 1 : found->error;
}

}  // namespace harness::inline core
