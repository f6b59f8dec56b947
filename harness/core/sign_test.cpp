#include "harness/core/sign_test.hpp"

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>

namespace harness::inline core {
namespace {

/// P(Binomial(n, 1/2) >= successes).
double upper_tail(std::size_t n, std::ptrdiff_t successes) {
  if (n == 0 || successes == 0) return 1;
  const boost::math::binomial coins(static_cast<double>(n), 0.5);
  return boost::math::cdf(boost::math::complement(coins, static_cast<double>(successes - 1)));
}

}  // namespace

double p_median_above(std::span<const double> values, double threshold) {
  return upper_tail(values.size(), std::ranges::count_if(values, [&](double v) { return v > threshold; }));
}

double p_median_below(std::span<const double> values, double threshold) {
  return upper_tail(values.size(), std::ranges::count_if(values, [&](double v) { return v < threshold; }));
}

double p_median_within(std::span<const double> values, double band) {
  return std::max(p_median_above(values, -band), p_median_below(values, band));
}

}  // namespace harness::inline core
