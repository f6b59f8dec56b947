#include "harness/core/variance.hpp"

#include "harness/core/median.hpp"

#include <boost/math/distributions/chi_squared.hpp>  // ljung_box.hpp of Boost 1.74 needs both before it
#include <boost/math/distributions/normal.hpp>
#include <boost/math/statistics/ljung_box.hpp>
#include <boost/math/statistics/runs_test.hpp>
#include <boost/math/statistics/univariate_statistics.hpp>

#include <cmath>
#include <numeric>

namespace harness::inline core {
namespace {

constexpr int most_pairs = 8;

constexpr double most_within = 0.1;
constexpr double smallest_heap = 0.15;
constexpr double autocorrelation_p = 0.001;
constexpr std::size_t fewest_for_order = 14;

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Sum of squares about the mean.
double spread(std::span<const double> values) {
  const auto mean = mean_of(values);
  double sum = 0;
  for (const auto v : values) sum += (v - mean) * (v - mean);
  return sum;
}

/// False for equal values, for such as differ by less than any clock can tell, and where one is not finite:
/// the tests below have no statistic then.
bool distinct(std::span<const double> values) {
  const auto [low, high] = std::ranges::minmax(values);
  return high > low && spread(values) > 1e-60 &&
         std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
}

/// p of the runs above and below the median; 1 where most values are equal to it, so that there is no
/// statistic.
double runs_p(const std::vector<double>& ordered) {
  const auto middle = median(ordered);
  const auto above = std::ranges::count_if(ordered, [=](double v) { return v > middle; });
  const auto below = std::ranges::count_if(ordered, [=](double v) { return v < middle; });
  if (above == 0 || below == 0 || above + below < 3) return 1;
  const auto [runs, p] = boost::math::statistics::runs_above_and_below_median(ordered);
  // A degenerate runs test (as many runs as values, hence no variance) says nothing either.
  return std::isfinite(runs) ? p : 1;
}

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

bool bimodal(std::span<const double> values, double apart) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const std::span<const double> all(sorted);
  const auto share = std::ceil(smallest_heap * static_cast<double>(all.size()));
  const auto least = std::max<std::size_t>(3, static_cast<std::size_t>(share));
  if (all.size() < 2 * least) return false;
  const auto total = spread(all);
  for (auto split = least; split + least <= all.size(); ++split) {
    const auto low = all.first(split);
    const auto high = all.subspan(split);
    if (mean_of(high) - mean_of(low) > apart && spread(low) + spread(high) < most_within * total) return true;
  }
  return false;
}

bool autocorrelated(std::span<const double> values) {
  if (values.size() < fewest_for_order || !distinct(values)) return false;
  const std::vector<double> ordered(values.begin(), values.end());
  const auto [q, box_p] = boost::math::statistics::ljung_box(ordered);
  return runs_p(ordered) < autocorrelation_p || box_p < autocorrelation_p;
}

}  // namespace harness::inline core
