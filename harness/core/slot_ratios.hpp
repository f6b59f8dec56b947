// What the timed slots of a row say beside its ratios: does a slot depend on the one before, and does noise
// arise within a launch or with it.
#pragma once

#include <span>
#include <vector>

namespace harness::inline core {

/// One slot. `unit` counts the units of replication (rounds), `pair` the crossed pairs in one, `quad` is 0 or
/// 1, `slot` 0 to 3 in the order of time.
struct SlotTime {
  int unit = 0;
  int pair = 0;
  int quad = 0;
  int slot = 0;
  bool naive = true;
  double seconds = 0;
};

/// For each unit, in order, the mean quad_carry of its quads with the optimized form inside less that of
/// those with the naive one inside. Quads that lack a slot are left out, and units without a quad of each
/// kind.
std::vector<double> carry_differences(std::span<const SlotTime> slots);

/// For each unit, in order, the log ratios of its crossed pairs: what split_variance wants.
std::vector<std::vector<double>> pair_log_ratios(std::span<const SlotTime> slots);

}  // namespace harness::inline core
