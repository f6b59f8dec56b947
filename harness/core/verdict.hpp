// From the rounds of one row to a verdict, and the looks before ten rounds, at which only what is plain is
// decided: docs/measuring.md 5.
#pragma once

#include "harness/core/disturbances.hpp"
#include "harness/core/interval.hpp"
#include "harness/core/slot_order.hpp"

namespace harness::inline core {

enum class Verdict { helps, no_effect, hurts, inconclusive, invalid, failed, skipped };

/// As stored: "no_effect". The terminal says "cannot tell" for inconclusive.
std::string_view to_string(Verdict verdict);

/// True of helps and hurts: one side is faster.
constexpr bool is_change(Verdict verdict) { return verdict == Verdict::helps || verdict == Verdict::hurts; }
/// And of no_effect; what cannot tell or was not measured is not decided.
constexpr bool is_decided(Verdict verdict) { return is_change(verdict) || verdict == Verdict::no_effect; }

/// How a row's interval is made: by order statistics of its rounds, or at an early look as their widened
/// range, or from its processes, all of which lie as far apart.
enum class CiMethod { median_binomial, widened_range, mann_whitney };

/// How a row is judged. `looks` are the numbers of rounds after which a verdict may fall; alpha is split
/// evenly. `early` are looks before the first of them, at which only what is plain is decided.
struct Rule {
  std::vector<int> looks = {14};
  double alpha = 0.01;
  double delta = 0.03;
  std::vector<int> early = {};
  double alpha_look() const { return alpha / static_cast<double>(looks.size()); }
  /// Together they have a tenth of alpha: what five looks after 10 to 56 rounds leave of it.
  double alpha_early() const { return alpha / 10 / static_cast<double>(early.size()); }
  /// The same beside process_interval, which has the rest of the tenth.
  double alpha_beside_processes() const { return 0.8 * alpha_early(); }
  double alpha_processes() const { return alpha / 50; }
};

/// The outcome of one row. Ratios are time(optimized) / time(naive): below 1 the optimized form is faster.
struct Judgement {
  Verdict verdict = Verdict::inconclusive;
  std::vector<std::string> flags;
  bool too_few = false;  // rounds for any look; not in the file
  CiMethod method = CiMethod::median_binomial;
  double ratio = 1;
  std::optional<Interval> ratio_interval;  // empty where there were too few rounds for one
  double alpha_look = 0;
  double alpha_actual = 1;     // the interval's true two-sided error
  double sd = 0;               // robust standard deviation of the rounds' log ratios
  double smallest_effect = 0;  // the smallest change, as a share, that this run could have shown (power 95 %)
  double hodges_lehmann = 1;   // a second estimate of the ratio
  CarryOver carry = {};
  double off = 0;  // of fixed work in the worst round, |ln|; not in the file, whose rounds say it
  /// True where the last look was an early one.
  bool early() const { return method != CiMethod::median_binomial; }
};

/// What the processes of the units that count have shown, of a row each of whose samples is one of its own.
struct Processes {
  Interval naive = {};  // ln of the least and of the most
  Interval optimized = {};
  int of_each = 0;       // so many of each form at least
  bool counted = false;  // counts, which no clock enters
};

/// ln(optimized / naive) from the nearest to the farthest processes.
Interval process_range(const Processes& seen);
/// The chance that this range misses the ratio, with so many processes of each form: 2 / C(2n, n).
double process_error(int of_each);

/// The range as an interval. Empty if its error is more than the rule has for it, or if the runs of one form
/// reach more than twice as far as those of the other.
std::optional<Interval> process_interval(const Processes& seen, const Rule& rule);

/// The first look at which so many processes of each form in a round may have an interval; the first one that
/// is no early look where none may.
int first_process_look(const Rule& rule, int of_each_in_round);

/// What the units of a row say; only the ratios are always there.
struct UnitEvidence {
  std::vector<double> log_ratios;    // one a unit, in the order in which they were taken
  std::vector<double> carries = {};  // one a unit: carry_differences; empty: not known
  Disturbances disturbances = {};
  std::optional<Processes> processes = {};  // empty: samples share theirs
};

/// The verdict of an interval of ln(ratio) against the band +-ln(1 + delta).
Verdict judge_interval(const Interval& log_ratio, double delta);

/// The units that count: those of the last look that is complete. Fewer than any look asks for: all.
std::size_t counting_units(std::size_t units, const Rule& rule);

/// Judges the units taken so far, up to the last complete look. Fewer than the first look: inconclusive,
/// whatever they say, unless an early look shows that they are plain.
Judgement judge(const UnitEvidence& evidence, const Rule& rule);
/// The same where only the ratios are known.
Judgement judge(std::span<const double> log_ratios, const Rule& rule);

/// The early looks of a session that allots its rounds.
inline const std::vector<int> early_looks = {3, 4, 6};

/// A claim needs every round beyond so many times the band: heaps of rounds that layouts make lie closer.
constexpr double plain_bands = 3;

/// True where counts need not lie so far out: `beyond` the band by more than they scatter, and so many that
/// two heaps would hardly have kept to one form each.
bool counts_repeat(const Processes& seen, double beyond, double alpha);

/// By how many of its lengths the range of n values is widened at either end: alpha^(-1/(n-1)) / 2 - 1, and
/// never below 0. Needs two values.
double widening(int n, double alpha);

/// The range of the values, widened; nothing below two values.
std::optional<Interval> widened_range(std::span<const double> values, double alpha);

/// How far the ends of the widened range lie from the middle on average, in standard deviations of n normal
/// values.
double early_reach(int n, double alpha);

/// The verdict of few rounds, of which the second argument is the widened range.
Verdict judge_early(std::span<const double> log_ratios, const Interval& widened, const Rule& rule,
                    const std::optional<Processes>& processes = {});

/// One-sided p-value against "the median is at most `threshold`": the error at which the widened range would
/// begin there. 1 where a value does not lie above it.
double p_plainly_above(std::span<const double> values, double threshold);
/// The same against "the median is at least `threshold`".
double p_plainly_below(std::span<const double> values, double threshold);
/// Against "the median lies outside of +-band": the larger of the two.
double p_plainly_within(std::span<const double> values, double band);

}  // namespace harness::inline core
