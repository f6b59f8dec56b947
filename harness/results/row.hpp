// What is known of one row once it has been measured: the unit of the table and of the results file.
#pragma once

#include "harness/core/interval.hpp"
#include "harness/core/measurement.hpp"
#include "harness/core/step.hpp"
#include "harness/core/variance.hpp"
#include "harness/core/verdict.hpp"
#include "harness/results/row_profile.hpp"

namespace harness::results {

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

}  // namespace harness::results
