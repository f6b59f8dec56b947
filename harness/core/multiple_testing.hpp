// Many benchmarks at once: docs/measuring.md 7. Holm for what may fail CI, Benjamini-Hochberg for lists.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace harness::inline core {

/// Holm's step-down adjusted p-values, in the order given: reject where the adjusted value is <= alpha, and
/// the chance of any wrong rejection is at most alpha.
std::vector<double> holm(std::span<const double> p_values);

/// Benjamini-Hochberg's step-up adjusted p-values, in the order given: of those <= q, a share of at most q
/// is wrong on average.
std::vector<double> benjamini_hochberg(std::span<const double> p_values);

/// The least number of units with which a sign test of `pairs` pairs can pass Holm at alpha / looks:
/// ceil(log2(pairs x looks / alpha)). 14 for 50 pairs and 15 for 100, at 0.01 and three looks.
int gate_units(int pairs, double alpha, int looks);

/// Why `units` units cannot gate `pairs` pairs, as one sentence; empty where they can. With too few, no
/// regression whatever its size could fail the gate.
std::string gate_refusal(int pairs, int units, double alpha, int looks);

/// One pair's part in the lists and in the gate: the units that count, and its margins as shares.
struct PairUnits {
  std::span<const double> log_ratios;
  double delta = 0.03;       // of the lists
  double gate_delta = 0.05;  // of the gate; see gate_margin
  bool early = false;        // decided at an early look: its p-values are those of the widened range
};

/// Adjusted p-values of one pair.
struct PairLists {
  double p_hurts = 1;  // minimum-effect p-values of the sign test, as they are
  double p_helps = 1;
  double p_equal = 1;
  bool hurts = false;  // passes Benjamini-Hochberg at q in its direction
  bool helps = false;
  bool equal = false;
  double gate_p = 1;  // Holm's adjusted p-value against median <= ln(1 + gate_delta)
};

/// The share of wrong entries that a list may have on average.
constexpr double list_q = 0.05;

/// Judges the pairs of one family together: variants and commits are families of their own.
std::vector<PairLists> judge_family(std::span<const PairUnits> pairs);

}  // namespace harness::inline core
