// Looks before ten rounds, at which only what is plain is decided: docs/measuring.md 5. So few rounds have no
// interval by order statistics. Theirs is their range, widened: it holds wherever noise thins out from its
// median on, with tails as heavy as they like.
#pragma once

#include "harness/core/interval.hpp"
#include "harness/core/verdict.hpp"

namespace harness::inline core {

/// The early looks of a session that allots its rounds.
inline const std::vector<int> early_looks = {3, 4, 6};

/// A claim needs every round beyond so many times the band: heaps of rounds that layouts make lie closer.
constexpr double plain_bands = 3;

/// By how many of its lengths the range of n values is widened at either end: alpha^(-1/(n-1)) / 2 - 1, and
/// never below 0. Needs two values.
double widening(int n, double alpha);

/// The range of the values, widened; nothing below two values.
std::optional<Interval> widened_range(std::span<const double> values, double alpha);

/// How far the ends of the widened range lie from the middle on average, in standard deviations of n normal
/// values.
double early_reach(int n, double alpha);

/// The verdict of few rounds, of which the second argument is the widened range.
Verdict judge_early(std::span<const double> log_ratios, const Interval& widened, double delta);

/// One-sided p-value against "the median is at most `threshold`": the error at which the widened range would
/// begin there. 1 where a value does not lie above it.
double p_plainly_above(std::span<const double> values, double threshold);
/// The same against "the median is at least `threshold`".
double p_plainly_below(std::span<const double> values, double threshold);
/// Against "the median lies outside of +-band": the larger of the two.
double p_plainly_within(std::span<const double> values, double band);

}  // namespace harness::inline core
