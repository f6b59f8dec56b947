// What is known of one row once it has been measured, the unit of the table and of the results file; what it
// showed under the profiler, in a process of its own and beside its timings, and which runs of a form were
// recorded; and one round of a session: a fresh process that took every row still open, and what disturbed
// it.
#pragma once

#include "harness/core/disturbances.hpp"
#include "harness/core/interval.hpp"
#include "harness/core/measurement.hpp"
#include "harness/core/step.hpp"
#include "harness/core/variance.hpp"
#include "harness/core/verdict.hpp"
#include "harness/support/field.hpp"

namespace harness::results {

/// torch.profiler's words, counted in runs of the form. Each repetition lets `wait` runs pass, makes the
/// profiler ready for `warmup` runs, records `active` runs, and is a trace file of its own.
struct Schedule {
  int wait = 10;
  int warmup = 10;
  int active = 20;
  int repeat = 1;

  int runs() const { return repeat * (wait + warmup + active); }
  bool operator==(const Schedule&) const = default;
};

/// "wait=10,warmup=10,active=20,repeat=1".
std::string to_string(const Schedule& schedule);
/// The inverse; parts that are left out stay as they are in `otherwise`. Throws BadInput, naming `flag`.
Schedule parse_schedule(const std::string& text, const std::string& flag, const Schedule& otherwise);

/// One form's runs with and without the profiler. Times are of one recorded run: docs/profile.md.
struct FormProfile {
  Form form = Form::naive;
  int runs = 0;                          // recorded, all repetitions together
  double seconds_on = 0;                 // with the profiler
  double seconds_before = 0;             // the same runs without it, in a pass before that
  double seconds_after = 0;              // and in a pass after
  std::vector<std::string> traces = {};  // files, one a repetition

  double seconds_off() const { return (seconds_before + seconds_after) / 2; }
};

/// What the source's profile showed, over its whole run; in the unit of the column.
struct PublishedChange {
  double before = 0;  // 0: not published
  std::optional<double> after;
  std::string where;
};

/// One of the published columns, for one run of each form; nothing where there was no device to measure it
/// on, or where the form was not profiled.
struct ProfileFigure {
  std::string name;
  std::string unit;  // "s" or "calls"
  std::optional<double> naive;
  std::optional<double> optimized;
  std::optional<PublishedChange> published = {};
};

struct RowProfile {
  Schedule schedule;
  std::vector<FormProfile> forms;
  std::vector<ProfileFigure> figures;
  std::string reason = {};  // why there is nothing; empty otherwise
};

/// What the CPU time of the rounds says: less than the clock's does other work move it.
struct CpuTime {
  double ratio = 1;                        // of all threads; optimized / naive
  std::optional<Interval> ratio_interval;  // empty where there were too few rounds for one
  Verdict verdict = Verdict::inconclusive;
};

/// What readers call a row's forms: "pageable" and "pinned". Files before 1.11 do not have them.
struct RowSides {
  std::string naive = "naive";
  std::string optimized = "optimized";
};

/// One row of the table: a step at a point on a device.
struct Row {
  std::string name;
  std::string step;
  std::vector<Coordinate> at;
  Device device;
  RowSides sides = {};
  Outcome expected = Outcome::depends;
  std::string published;
  double delta = 0;
  Measurement measured;
  Judgement judged;
  std::optional<CpuTime> cpu = {};  // of a row on the host that its time judges
  bool confirmed = false;           // the verdict also stands where all rows are judged together
  int rounds = 0;                   // those that the verdict rests on: the last completed look
  std::string reason;               // why it was skipped, failed or is invalid; empty otherwise
  std::string stage;                // where that happened: select, setup, answer, measure, worker
  double naive_seconds = 0;         // median over the slots of that form; 0 where nothing was timed
  double optimized_seconds = 0;     // the same; a table prints shown_optimized
  std::optional<VarianceSplit> variance = {};  // empty where rounds have one pair: then it cannot be split
  double row_seconds = 0;                      // what the row took in all, rehearsal and rounds
  std::optional<RowProfile> profile = {};
};

/// What a table prints for the optimized form, so that its numbers agree: the naive form's time and the
/// change, which is the median of the rounds' ratios and not the ratio of two medians.
inline double shown_optimized(const Row& row) { return row.naive_seconds * row.judged.ratio; }

/// True of rows of `tuneproof versus`.
inline bool is_of_commands(std::string_view row_name) { return row_name.starts_with("versus/"); }

/// True of rows that compare numbers of which more is better: `tuneproof versus --more-is-better`. A file has
/// their inverse, of which less is better.
inline bool is_rate(std::string_view row_name) { return row_name.starts_with("versus/rate/"); }

/// A value or a ratio of the row as a person reads it: of a rate the inverse of what the file has.
inline double as_printed(std::string_view row_name, double value) {
  return is_rate(row_name) ? 1 / value : value;
}
inline std::optional<Interval> as_printed(std::string_view row_name,
                                          const std::optional<Interval>& interval) {
  if (!interval || !is_rate(row_name)) return interval;
  return Interval{1 / interval->high, 1 / interval->low};
}

/// What else went on while a worker measured (docs/measuring.md 6). A canary is fixed work, timed at
/// begin, middle and end: where it takes longer, it is the machine and not the form.
struct Disturbance {
  std::int64_t involuntary_switches = 0;
  std::vector<double> canary_seconds = {};
  std::vector<double> gpu_canary_seconds = {};   // empty without a CUDA row
  std::vector<double> copy_canary_seconds = {};  // 16 MiB, pinned, to the device
  std::optional<std::uint64_t> slowdowns = {};   // bits of nvmlClocksEventReason seen; empty without NVML
};

/// What disturbed two workers together.
void add(Disturbance& all, const Disturbance& more);

struct Round {
  int round = 0;       // from 0
  double start = 0;    // seconds since the session began; of a resumed one, since it was resumed
  double seconds = 0;  // process start to process end
  int workers = 0;     // processes: more than one where a row has ended its own
  Disturbance disturbance;
  double steal_seconds = 0;              // taken by other guests of the host, all CPUs together
  std::optional<double> other_cpu = {};  // share of all CPUs' time that other work took; empty: not known
};

/// What the canaries met in the first of the rounds: the device's for a row on one, else the host's.
void add_canaries(const std::vector<Round>& rounds, std::size_t first, bool device, Disturbances& seen);

Json disturbance_to_json(const Disturbance& disturbance);
Disturbance disturbance_from_json(const Field& json);
Json round_to_json(const Round& round);
Round round_from_json(const Field& json);

}  // namespace harness::results
