// What may fail CI: a slowdown of a commit against another, measured in the same rounds (docs/measuring.md
// 8). Many benchmarks at once: docs/measuring.md 7. Holm for what may fail CI, Benjamini-Hochberg for lists.
#pragma once

#include "harness/core/verdict.hpp"

namespace harness::inline core {

/// One pair (a row, before and after) with the units taken so far: ln(time(head) / time(base)).
struct GatedPair {
  std::string name;
  std::vector<double> log_ratios = {};
  bool event = false;      // timed by CUDA events
  double nu = 0;           // margin_noise of the self-test for this pair
  bool withdrawn = false;  // what disturbed the machine could have made a slowdown of this size
};

struct GateResult {
  std::string name;
  Judgement judged;   // against the pair's margin
  double margin = 0;  // what it is gated on, a share
  double p = 1;       // Holm's adjusted p-value of "slower than the margin"
  bool withdrawn = false;
  bool regressed = false;
};

/// The first look at which Holm can reject anything for so many gated pairs; nothing where none can.
std::optional<int> first_gating_look(const Rule& rule, int gated_pairs);

/// Judges the pairs of one family at the look that all of them have reached. Throws BadInput where the looks
/// are too few for so many pairs: no slowdown could fail such a gate.
std::vector<GateResult> gate(std::span<const GatedPair> pairs, const Rule& rule);

/// The regressions that a fresh session, of the flagged pairs only, has shown again: its whole interval lies
/// above the pair's margin, and no disturbance could have put it there. Only these fail CI.
std::vector<std::string> confirmed(std::span<const GateResult> first, std::span<const GateResult> repeated);

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
  double delta = 0.03;                          // of the lists
  double gate_delta = 0.05;                     // of the gate; see gate_margin
  CiMethod method = CiMethod::median_binomial;  // p-values are those of what made the interval
  std::optional<Processes> processes = {};      // there where these have made it
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
