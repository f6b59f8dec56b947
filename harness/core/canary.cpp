#include "harness/core/canary.hpp"

#include "harness/core/median.hpp"

#include <boost/math/distributions/hypergeometric.hpp>

namespace harness::inline core {

CanaryReport canary_report(std::span<const std::vector<double>> seconds) {
  constexpr double apart = 0.03;
  std::vector<double> medians;
  for (const auto& round : seconds)
    if (!round.empty()) medians.push_back(median(round));
  CanaryReport report{std::vector<bool>(seconds.size()), 0};
  if (medians.empty()) return report;
  const auto middle = median(medians);
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    if (seconds[i].empty()) continue;
    const auto off = std::abs(std::log(median(seconds[i]) / middle));
    report.marked[i] = off > std::log1p(apart);
    if (report.marked[i]) report.largest = std::max(report.largest, off);
  }
  return report;
}

std::optional<double> sway_of(std::span<const double> canaries, std::span<const double> log_ratios) {
  constexpr std::size_t fewest = 6;
  constexpr double chance = 0.05;
  const auto n = std::min(canaries.size(), log_ratios.size());
  if (n < fewest) return std::nullopt;
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return canaries[i]; });
  std::vector<double> all, calm, busy;
  for (std::size_t place = 0; place < n; ++place) {
    all.push_back(log_ratios[order[place]]);
    (place < n / 2 ? calm : busy).push_back(all.back());
  }
  const auto middle = median(all);
  const auto above = [&](const std::vector<double>& some) {
    return static_cast<unsigned>(std::ranges::count_if(some, [&](double ratio) { return ratio > middle; }));
  };
  // So many of the calm rounds lie above the median of all; by chance that is hypergeometric.
  const boost::math::hypergeometric by_chance(above(all), static_cast<unsigned>(calm.size()),
                                              static_cast<unsigned>(n));
  const auto seen = above(calm);
  const auto lower = boost::math::cdf(by_chance, seen);
  const auto upper =
      seen == 0 || boost::math::pdf(by_chance, seen) >= 1
          ? 1.0
          : boost::math::cdf(boost::math::complement(by_chance, seen)) + boost::math::pdf(by_chance, seen);
  if (2 * std::min(lower, upper) >= chance) return 0;
  return std::abs(median(calm) - median(busy));
}

}  // namespace harness::inline core
