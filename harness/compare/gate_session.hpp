// Base against head, measured, gated and, where something was flagged, measured again: docs/measuring.md 8.
#pragma once

#include "harness/compare/comparison.hpp"
#include "harness/record/results.hpp"
#include "harness/stats/gate.hpp"
#include "harness/worker/contest.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace harness {

/// How a gate decides. The session has its looks and its alpha.
struct GateRules {
  std::map<std::string, double> noise = {};  // by row: nu of the self-test
  Seconds pause{60};                         // before what was flagged is measured again
};

/// Those who measure.
struct GateCrew {
  Launch launch;
  std::function<Seconds()> clock;
  /// Lets the time pass; the signal that came meanwhile, if one did.
  std::function<std::optional<int>(Seconds)> wait;
};

/// A row that both programs have.
struct ContestRow {
  /// Its `naive` samples and seconds are the optimized form's in BASE, its `optimized` ones those in HEAD;
  /// `delta` is the margin that it is gated on.
  Row row;
  bool advisory = false;                // too noisy in the self-test to fail anything
  double p = 1;                         // Holm's, of "slower than the margin"
  bool regressed = false;               // in the first session
  bool confirmed = false;               // and in the second
  std::optional<Judgement> again = {};  // the second session's
  Judgement control = {};               // the naive form, HEAD against BASE
  std::vector<double> control_log_ratios = {};
  std::vector<CountIncrease> increases = {};
  std::vector<std::string> vanished = {};  // counts that only BASE has
};

struct GateOutcome {
  Session session;
  std::vector<ContestRow> rows;
  std::vector<Round> rounds = {};
  std::optional<Session> second = {};  // where something was flagged and measured again
  std::optional<int> signal = {};      // that ended it early; then nothing is gated that was not yet
};

/// The looks at which Holm can reject anything for so many rows: earlier ones would only spend alpha. Throws
/// BadInput where there is none.
std::vector<int> gating_looks(const Rule& rule, int rows);

/// Measures the rows of the session that are not skipped, gates them, and repeats the flagged ones with
/// another seed. `session.rows` are blank, or skipped with a reason. Throws what the crew throws.
GateOutcome run_gate(Results session, const GateRules& rules, const GateCrew& crew);

}  // namespace harness
