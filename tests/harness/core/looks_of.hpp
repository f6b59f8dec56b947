// The decision part of a measurement, for tests that repeat it many thousand times: units are drawn, and only
// at a look is anything decided.
#pragma once

#include "harness/core/interval.hpp"
#include "harness/core/verdict.hpp"

#include <vector>

namespace harness::example {

struct Decision {
  Verdict verdict = Verdict::inconclusive;
  std::size_t units = 0;
};

/// The verdict of units that have just reached a look.
inline Verdict verdict_at_look(const std::vector<double>& units, const Rule& rule) {
  if (units.size() < static_cast<std::size_t>(rule.looks.front()))
    return judge_early(units, *widened_range(units, rule.alpha_early()), rule);
  return judge_interval(*median_interval(units, rule.alpha_look()), rule.delta);
}

/// All looks of the rule, the early ones first.
inline std::vector<int> looks_of(const Rule& rule) {
  auto looks = rule.early;
  looks.insert(looks.end(), rule.looks.begin(), rule.looks.end());
  return looks;
}

/// Draws units until the verdict stands or the looks are over. The same as judge() at each look, without its
/// estimates and flags.
template <class Draw>
Decision decide(const Rule& rule, const Draw& draw) {
  std::vector<double> units;
  Decision decision;
  for (const auto look : looks_of(rule)) {
    while (units.size() < static_cast<std::size_t>(look)) units.push_back(draw());
    decision = {verdict_at_look(units, rule), units.size()};
    if (decision.verdict != Verdict::inconclusive) break;
  }
  return decision;
}

/// How often each verdict fell.
struct Tally {
  int helps = 0, no_effect = 0, hurts = 0, inconclusive = 0;
  int trials() const { return helps + no_effect + hurts + inconclusive; }
  int claims() const { return helps + hurts; }

  void add(Verdict verdict) {
    (verdict == Verdict::helps       ? helps
     : verdict == Verdict::hurts     ? hurts
     : verdict == Verdict::no_effect ? no_effect
                                     : inconclusive) += 1;
  }
};

}  // namespace harness::example
