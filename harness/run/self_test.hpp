// What a machine's self-test has seen, what that proves (docs/measuring.md 9), and what the terminal shows of
// it; its sessions, one after the other: which truth is planted in which, and when it ends. Knows neither
// processes nor the clock.
#pragma once

#include "harness/core/interval.hpp"
#include "harness/core/plant.hpp"
#include "harness/core/verdict.hpp"
#include "harness/results/results.hpp"
#include "harness/run/supervisor.hpp"
#include "harness/support/field.hpp"
#include "harness/support/terminal.hpp"

namespace harness::run {

/// The truth of a session: equal forms, B made slower, or A made slower so that B is the faster one.
enum class Planted { nothing, slower, faster };

/// As stored: "slower".
std::string_view to_string(Planted planted);
/// The verdict that this truth asks for: no_effect, hurts, helps.
Verdict truth_of(Planted planted);

/// What one session said of a pair.
struct PairSession {
  Planted planted = Planted::nothing;
  Verdict verdict = Verdict::inconclusive;
  int rounds = 0;
  double ratio = 1;
  double sd = 0;                        // of the rounds' log ratios
  double smallest_effect = 0;           // that it could have shown, as a share
  std::vector<std::string> flags = {};  // those of the verdict: why it could not tell
  bool counts_differ = false;           // for certain: of equal forms that is a false claim by counts
  Verdict cpu = Verdict::inconclusive;  // what the CPU time said
  bool operator==(const PairSession&) const = default;
};

struct TestedPair {
  std::string name;
  std::string reason = {};  // why it could not be measured, or not slowed; empty otherwise
  bool failed = false;      // for a fault, not for lack of something
  std::vector<PairSession> sessions = {};
  std::vector<double> aa_log_ratios = {};  // of all A/A rounds, in the order in which they were taken
};

struct SelfTest {
  std::string machine_class = {};  // the key under which it is cached
  Json fingerprint = Json::object();
  std::string started = {};  // ISO 8601, UTC
  std::string commit = {};
  std::uint64_t seed = 0;
  double seconds = 0;     // from first to last session
  double delta = 0.02;    // smallest effect of interest, a share
  double planted = 0.05;  // the slowdown, a share
  double alpha = 0.01;
  std::vector<TestedPair> pairs = {};
};

/// So many of so many.
struct Rate {
  int hits = 0;
  int trials = 0;
  bool operator==(const Rate&) const = default;
};

/// What the sessions prove of one pair.
struct PairReport {
  Rate false_claims;         // A/A sessions that said helps or hurts
  Rate equal;                // A/A sessions that said no effect
  Rate claims_by_counts;     // A/A sessions in which counts differed
  Rate claims_by_cpu;        // A/A sessions in which the CPU time said helps or hurts
  Rate found, mirror_found;  // of B slower, of A slower
  double sd = 0;             // median over the A/A sessions
  double nu = 0;             // 99th percentile of |ratio - 1| over the A/A sessions
  double smallest_effect = 0;
  int rounds_to_find = 0;             // median over the planted sessions that found it; 0: none did
  bool sees = false;                  // sd is small enough to ask for the slowdown
  std::optional<Verdict> all_rounds;  // of the A/A rounds of all sessions, at 14, 28 or 56 of them
  double shift = 1;                   // median ratio of all A/A rounds
  std::optional<Interval> shift_interval;
  bool layout_bias = false;  // a shift of more than delta / 2, and no accident
};

PairReport report_of(const TestedPair& pair, const SelfTest& test);

/// A: within all targets, and nine of ten pairs see the slowdown. B: within all targets. C: outside one.
/// Open: too few sessions to tell.
enum class Grade { a, b, c, open };
/// "A", "B", "C", "open".
std::string_view to_string(Grade grade);

/// What the sessions prove of the machine.
struct SelfTestReport {
  std::vector<PairReport> pairs;  // in the order of SelfTest::pairs
  Rate false_claims;
  Rate claims_by_counts;
  Rate claims_by_cpu;
  Rate found;                        // in either direction, over the pairs that see it
  Rate equal;                        // pairs of little noise whose A/A rounds together say no effect
  Rate sees;                         // pairs that see the slowdown, of those measured
  bool false_claims_proven = false;  // at most 1 %, with 95 % confidence
  bool found_proven = false;         // at least 95 %, with 95 % confidence
  Grade grade = Grade::open;
};

SelfTestReport report_of(const SelfTest& test);

/// nu of the pair of that name; nothing where it has no A/A sessions.
std::optional<double> noise_of(const SelfTest& test, std::string_view pair);

/// One line a pair: its noise, what the sessions said of it, and the smallest effect it shows.
std::string self_test_table(const SelfTest& test, const SelfTestReport& report, const Style& style);

/// The totals with their exact bounds, the pairs whose equal forms differ, and the grade.
std::string self_test_summary(const SelfTest& test, const SelfTestReport& report, const Style& style);

/// What is planted in the n-th session, from 0. Of six sessions four are A/A, and those with a slowdown lie
/// between them, so that a self-test that ends early has some of each.
Planted planted_in(int session);

/// How many sessions give enough comparisons of so many pairs to prove the targets, some pairs being too
/// noisy to see the slowdown; 0 pairs: 0.
int sessions_for(int pairs);

/// The plant of a session's task.
Plant plant_of(Planted planted, double share);

struct SessionsPlan {
  std::vector<results::Row> rows = {};  // blank
  int sessions = 0;                     // 0: until the budget is spent
  std::optional<Seconds> budget = {};   // no session begins that would end later; the first one always does
};

/// One session, about to be taken.
struct SessionView {
  int number = 0;  // from 0
  Planted planted = Planted::nothing;
};

/// Who takes the sessions.
struct SessionRunner {
  /// Measures the rows of the results, whose session has seed and looks. Returns the signal that ended it.
  std::function<std::optional<int>(results::Results& results, const SessionView& view)> run;
  std::function<Seconds()> clock;
  /// Called after each session.
  std::function<void()> store;
};

/// Takes the sessions; those that were completed stand in `test`. Returns the signal that ended it early.
std::optional<int> run_sessions(SelfTest& test, const SessionsPlan& plan, const SessionRunner& runner);

}  // namespace harness::run
