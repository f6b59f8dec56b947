#include "harness/core/interval.hpp"

#include "harness/core/median.hpp"

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace harness::inline core {

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

}  // namespace harness::inline core
