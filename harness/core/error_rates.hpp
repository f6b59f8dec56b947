// What rows of a planted truth prove about a machine: its rates of errors, and the margin that a pair may be
// gated on there: docs/measuring.md 8 and 9.
#pragma once

#include <span>

namespace harness::inline core {

/// Clopper and Pearson's one-sided upper bound, at `confidence`, of a rate of which `hits` of `trials` were
/// seen. 1 without trials.
double rate_upper_bound(int hits, int trials, double confidence = 0.95);
/// The lower bound; 0 without trials.
double rate_lower_bound(int hits, int trials, double confidence = 0.95);

/// True if so few false claims in A/A comparisons prove a rate of at most 1 %: 0 of 299, 1 of 473, 4 of 914.
bool accepts_false_claims(int claims, int comparisons);
/// True if so many found slowdowns of 5 % prove a power of at least 95 %: 59 of 59, 92 of 93, 177 of 181.
bool accepts_power(int found, int planted);

/// nu: the 99th percentile of |ratio - 1| over the A/A sessions of one pair on one class of machine, by
/// nearest rank (up to 100 sessions that is the largest). 0 without sessions.
double margin_noise(std::span<const double> aa_ratios);

/// What a pair may be gated on, a share: max(delta, 2 nu). Noise widens the margin and never takes it away.
double calibrated_margin(double delta, double nu);

/// The gate's smallest margin: 3 % where CUDA events time, 5 % where the host does.
constexpr double event_gate_delta = 0.03;
constexpr double wall_gate_delta = 0.05;

}  // namespace harness::inline core
