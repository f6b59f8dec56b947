#include "harness/core/interval.hpp"

#include "harness/core/median.hpp"

#include <boost/math/distributions/binomial.hpp>

#include <cmath>

namespace harness::inline core {
namespace {

/// P(Binomial(n, 1/2) >= successes).
double upper_tail(std::size_t n, std::ptrdiff_t successes) {
  if (n == 0 || successes == 0) return 1;
  const boost::math::binomial coins(static_cast<double>(n), 0.5);
  return boost::math::cdf(boost::math::complement(coins, static_cast<double>(successes - 1)));
}

}  // namespace

int order_statistic(int n, double alpha) {
  int k = 0;
  while (k < n / 2 && interval_error(n, k + 1) <= alpha) ++k;
  return k;
}

double interval_error(int n, int k) {
  if (n < 1 || k < 1) return 1;
  return 2 * boost::math::cdf(boost::math::binomial(n, 0.5), k - 1);
}

std::optional<Interval> median_interval(std::span<const double> values, double alpha) {
  const auto k = order_statistic(static_cast<int>(values.size()), alpha);
  if (k == 0) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const auto index = static_cast<std::size_t>(k);
  return Interval{sorted[index - 1], sorted[sorted.size() - index]};
}

double robust_sd(std::span<const double> values) {
  if (values.empty()) return 0;
  const auto centre = median({values.begin(), values.end()});
  std::vector<double> distances;
  for (const auto v : values) distances.push_back(std::abs(v - centre));
  return 1.4826 * median(std::move(distances));
}

double hodges_lehmann(std::span<const double> values) {
  std::vector<double> means;
  means.reserve(values.size() * (values.size() + 1) / 2);
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = i; j < values.size(); ++j) means.push_back((values[i] + values[j]) / 2);
  return means.empty() ? 0 : median(std::move(means));
}

double p_median_above(std::span<const double> values, double threshold) {
  return upper_tail(values.size(), std::ranges::count_if(values, [&](double v) { return v > threshold; }));
}

double p_median_below(std::span<const double> values, double threshold) {
  return upper_tail(values.size(), std::ranges::count_if(values, [&](double v) { return v < threshold; }));
}

double p_median_within(std::span<const double> values, double band) {
  return std::max(p_median_above(values, -band), p_median_below(values, band));
}

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
