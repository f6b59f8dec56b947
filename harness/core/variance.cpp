#include "harness/core/variance.hpp"

#include <boost/math/statistics/univariate_statistics.hpp>

#include <algorithm>
#include <cmath>

namespace harness::inline core {
namespace {

constexpr int most_pairs = 8;

}  // namespace

VarianceSplit split_variance(std::span<const std::vector<double>> rounds) {
  std::vector<double> means;
  double within = 0;
  double mean_variance = 0;  // of a round's mean, from its pairs' scatter
  for (const auto& pairs : rounds) {
    if (pairs.size() < 2) return {};
    const auto variance = boost::math::statistics::sample_variance(pairs);
    within += variance;
    mean_variance += variance / static_cast<double>(pairs.size());
    means.push_back(boost::math::statistics::mean(pairs));
  }
  if (means.size() < 2) return {};
  const auto n = static_cast<double>(means.size());
  const auto between = boost::math::statistics::sample_variance(means);
  return {within / n, std::max(0.0, between - mean_variance / n)};
}

int best_pairs(const VarianceSplit& split, double launch_cost, double pair_cost) {
  if (split.within <= 0) return 1;
  if (split.launch <= 0 || pair_cost <= 0) return most_pairs;
  const auto best = std::ceil(std::sqrt(launch_cost / pair_cost * split.within / split.launch));
  return static_cast<int>(std::clamp(best, 1.0, static_cast<double>(most_pairs)));
}

}  // namespace harness::inline core
