#include "harness/core/early_look.hpp"

#include <algorithm>
#include <cmath>

namespace harness::inline core {
namespace {

/// Of `n` values whose nearest lies `distance` beyond the threshold: 2^-n (1 + t)^(1 - n), where t lengths of
/// the range reach back to it.
double p_of_range(std::size_t n, double distance, double range) {
  if (n < 2 || distance <= 0) return 1;
  const auto one_side = std::ldexp(1.0, -static_cast<int>(n));
  return one_side * std::pow(range / (range + distance), static_cast<double>(n - 1));
}

}  // namespace

double widening(int n, double alpha) { return std::max(0.0, std::pow(alpha, -1.0 / (n - 1)) / 2 - 1); }

double early_reach(int n, double alpha) {
  constexpr std::array mean_range{1.128, 1.693, 2.059, 2.326,
                                  2.534, 2.704, 2.847, 2.970};  // of 2 to 9 values
  return (0.5 + widening(n, alpha)) * mean_range.at(static_cast<std::size_t>(n - 2));
}

std::optional<Interval> widened_range(std::span<const double> values, double alpha) {
  if (values.size() < 2) return std::nullopt;
  const auto [low, high] = std::ranges::minmax(values);
  const auto added = widening(static_cast<int>(values.size()), alpha) * (high - low);
  return Interval{low - added, high + added};
}

Verdict judge_early(std::span<const double> log_ratios, const Interval& widened, double delta) {
  const auto verdict = judge_interval(widened, delta);
  if (verdict != Verdict::helps && verdict != Verdict::hurts) return verdict;
  const auto [low, high] = std::ranges::minmax(log_ratios);
  const auto nearest = verdict == Verdict::helps ? -high : low;
  return nearest > plain_bands * std::log1p(delta) ? verdict : Verdict::inconclusive;
}

double p_plainly_above(std::span<const double> values, double threshold) {
  if (values.empty()) return 1;
  const auto [low, high] = std::ranges::minmax(values);
  return p_of_range(values.size(), low - threshold, high - low);
}

double p_plainly_below(std::span<const double> values, double threshold) {
  if (values.empty()) return 1;
  const auto [low, high] = std::ranges::minmax(values);
  return p_of_range(values.size(), threshold - high, high - low);
}

double p_plainly_within(std::span<const double> values, double band) {
  return std::max(p_plainly_above(values, -band), p_plainly_below(values, band));
}

}  // namespace harness::inline core
