// p-values of the sign test: exact for independent units of any distribution, and the same test that the
// interval of order statistics inverts.
#pragma once

#include <span>

namespace harness::inline core {

/// One-sided p-value against "the median is at most `threshold`": P(Binomial(n, 1/2) >= values above it).
/// A value equal to the threshold speaks against the claim. 1 without values; never below 2^-n.
double p_median_above(std::span<const double> values, double threshold);

/// The same against "the median is at least `threshold`".
double p_median_below(std::span<const double> values, double threshold);

/// Against "the median lies outside of +-band": the larger of the two one-sided p-values (TOST).
double p_median_within(std::span<const double> values, double band);

}  // namespace harness::inline core
