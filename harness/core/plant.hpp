// A truth that is known because it was planted, both forms made the same or one made slower by a share, and
// what such rows prove about a machine: its rates of errors, and the margin that a pair may be off by.
#pragma once

#include "harness/core/step.hpp"

namespace harness::inline core {

/// What is done to the forms of a row. Slowing both shows a slower program to `compare --base --head`.
struct Plant {
  bool same_forms = false;  // A/A: the naive form is both
  double slow_naive = 0;    // by this share of each run's own time: 0.05
  double slow_optimized = 0;
  bool operator==(const Plant&) const = default;
};

/// Lengthens what runs between `begin` and `end` by a share of its own time.
struct Slowdown {
  std::function<void()> begin;
  std::function<void(double share)> end;
};

/// Seconds that only ever grow.
using SecondsNow = std::function<double()>;
double steady_seconds();

/// Keeps the calling thread busy: a sleep would come back some 50 us late, by the timer's slack. `wait`
/// blocks until the device has finished; empty on the host. Costs three readings of the clock, about 0.1 us a
/// run.
Slowdown busy_slowdown(std::function<void()> wait = {}, const SecondsNow& now = steady_seconds);

/// The set with the plant in it. Throws Skip where it is a pipelined form that is to be slowed: the rest of
/// its work goes on while the slowdown waits.
Trial planted(Trial trial, const Plant& plant, const Slowdown& slowdown);

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
