#include "harness/core/disturbances.hpp"

#include "harness/core/median.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace harness::inline core
