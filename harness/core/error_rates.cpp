#include "harness/core/error_rates.hpp"

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace harness::inline core {
namespace {

constexpr double false_claims_target = 0.01;
constexpr double power_target = 0.95;

}  // namespace

double rate_upper_bound(int hits, int trials, double confidence) {
  if (hits >= trials) return 1;
  return boost::math::binomial::find_upper_bound_on_p(trials, hits, 1 - confidence);
}

double rate_lower_bound(int hits, int trials, double confidence) {
  if (hits <= 0 || trials <= 0) return 0;
  return boost::math::binomial::find_lower_bound_on_p(trials, hits, 1 - confidence);
}

bool accepts_false_claims(int claims, int comparisons) {
  return rate_upper_bound(claims, comparisons) <= false_claims_target;
}

bool accepts_power(int found, int planted) { return rate_lower_bound(found, planted) >= power_target; }

double margin_noise(std::span<const double> aa_ratios) {
  if (aa_ratios.empty()) return 0;
  std::vector<double> distances;
  for (const auto ratio : aa_ratios) distances.push_back(std::abs(ratio - 1));
  std::ranges::sort(distances);
  const auto rank = static_cast<std::size_t>(std::ceil(0.99 * static_cast<double>(distances.size())));
  return distances[rank - 1];
}

double calibrated_margin(double delta, double nu) { return std::max(delta, 2 * nu); }

}  // namespace harness::inline core
