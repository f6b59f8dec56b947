// What may fail CI: a slowdown of a commit against another, measured in the same rounds. docs/measuring.md 8.
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

}  // namespace harness::inline core
