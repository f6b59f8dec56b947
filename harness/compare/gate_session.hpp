// Base against head, measured, gated and, where something was flagged, measured again: docs/measuring.md 8.
#pragma once

#include "harness/compare/comparison.hpp"
#include "harness/core/gate.hpp"
#include "harness/results/results.hpp"
#include "harness/run/contest.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace harness::compare {

/// How a gate decides. The session has its looks and its alpha.
struct GateRules {
  std::map<std::string, double> noise = {};  // by row: nu of the self-test
  run::Seconds pause{60};                    // before what was flagged is measured again
};

/// How both builds are measured.
struct GateRunner {
  run::Launch launch;
  std::function<run::Seconds()> clock;
  /// Lets the time pass; the signal that came meanwhile, if one did.
  std::function<std::optional<int>(run::Seconds)> wait;
};

/// A row that both programs have.
struct ContestRow {
  /// Its `naive` samples and seconds are the optimized form's in BASE, its `optimized` ones those in HEAD;
  /// `delta` is the margin that it is gated on.
  results::Row row;
  double p = 1;                         // Holm's, of "slower than the margin"
  bool regressed = false;               // in the first session
  bool confirmed = false;               // and in the second
  std::optional<Judgement> again = {};  // the second session's
  bool leaning = false;                 // undecided, and leans_slower
  Judgement control = {};               // the naive form, HEAD against BASE
  std::vector<double> control_log_ratios = {};
  std::optional<Figure> instructions = {};  // of the optimized form: naive is BASE's, optimized HEAD's
  std::vector<CountIncrease> increases = {};
  std::vector<std::string> vanished = {};  // counts that only BASE has

  double base_seconds() const { return row.naive_seconds; }
  double head_seconds() const { return results::shown_optimized(row); }
};

/// True if the whole interval lies beyond the margin and the verdict was taken away: what disturbed the
/// machine, as far as it was measured, could have made a slowdown of this size.
bool withdrawn(const Judgement& judged, double margin);

/// True if the row looks slower, and neither a second session nor chance has settled whether it is.
bool unsettled(const ContestRow& row);

struct GateOutcome {
  results::Session session;
  std::vector<ContestRow> rows;
  std::vector<results::Round> rounds = {};
  std::optional<results::Session> second = {};  // where something was flagged and measured again
  std::optional<int> signal = {};               // that ended it early; then nothing is gated that was not yet
};

/// The looks at which Holm can reject anything for so many rows: earlier ones would only spend alpha. Throws
/// BadInput where there is none.
std::vector<int> gating_looks(const Rule& rule, int rows);

/// Measures the rows of the session that are not skipped, gates them, and repeats the flagged ones with
/// another seed. `session.rows` are blank, or skipped with a reason. Throws what the runner throws.
GateOutcome run_gate(results::Results session, const GateRules& rules, const GateRunner& runner);

// By what the programs do, counted once: calls, bytes, instructions. No rounds, since counts carry no noise:
// the gate for machines that others share (docs/compare.md).

/// Counts the instructions of rows in a process of that program; hands over each row that has ended. Returns
/// the signal that ended it early.
using CountRows =
    std::function<std::optional<int>(run::ContestBuild build, const std::vector<results::Row>& rows,
                                     const std::function<void(results::Row)>& ended)>;

/// Rehearses the rows of the session that are not skipped in both programs, which compares their forms'
/// answers and counts calls and bytes, and counts their instructions. Throws what the runner throws.
GateOutcome count_gate(results::Results session, const run::Launch& launch, const CountRows& count);

}  // namespace harness::compare
