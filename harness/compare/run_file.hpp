// What a comparison, the history and the exports ask of a results file, and how a series of times changed
// between two.
#pragma once

#include "harness/catalogue/catalogue.hpp"
#include "harness/core/interval.hpp"
#include "harness/core/verdict.hpp"
#include "harness/results/results.hpp"

namespace harness::compare {

/// How one series of times changed against another, taken in another session. Advice: what differs between
/// two sessions (another start, another hour) is in it, so it never gates. `ratio` is new / base: below 1 is
/// faster.
struct Change {
  Verdict verdict = Verdict::inconclusive;  // helps: faster; hurts: slower; no_effect: equal within +-delta
  double ratio = 1;
  std::optional<Interval> ratio_interval = {};  // empty where a series is too short for one
};

/// The ratio of two medians, from ln values. Its interval combines the order-statistic intervals of both
/// medians, each with half of alpha: exact for independent units of any two distributions, and wider than a
/// paired one. A rule with early looks takes the widened range of a series that is too short for that.
/// Neither series may be empty.
Change change_of(std::span<const double> base, std::span<const double> current, const Rule& rule);

/// The least number of units on each side that gives such an interval: 9 at 0.01.
int units_for_change(double alpha);

/// A results file. Throws BadInput, one sentence, for anything that `results::results_from_json` does not
/// read, for one that does not say when and on what machine it was measured, and for one that was measured on
/// the stand-in where that is not allowed.
results::Results read_run(const Json& document, const std::string& name,
                          results::StandIn stand_in = results::StandIn::refuse);
/// The same from a file of at most `most_results_bytes`.
results::Results read_run_file(const std::filesystem::path& file,
                               results::StandIn stand_in = results::StandIn::refuse);

/// Names the sides of rows that do not name their own, those of files before 1.11, as the steps do here.
void name_sides(const catalogue::Catalogue& catalogue, results::Results& run);

/// One value a unit: of the forms ln(seconds), the median over the unit's slots. Units without a finite value
/// are left out.
struct RowSeries {
  std::vector<double> naive;
  std::vector<double> optimized;
  std::vector<double> log_ratios;
};
RowSeries series_of(const results::Row& row);

/// One run of the form as the run's own table prints it, or the figure that stands for its time (bytes, a
/// loss, what `tuneproof versus` has compared); 0 where nothing was measured. Whatever shows a value of a row
/// takes it from here, so that the row has one number everywhere.
double shown_value(const results::Row& row, Form form);

/// `interval` as far as it has to reach to hold the value beside it, which is another estimate.
Interval holding(Interval interval, double value);

/// What such a value is: its unit ("s", "B", "MiB" or nothing), the words for less and more of what the file
/// has, what Bencher calls it.
struct ValueWords {
  std::string unit = "s";
  std::string_view less = "faster", more = "slower";
  std::string measure = "latency";
  bool is_time() const { return unit == "s"; }
};
ValueWords value_words(const results::Row& row);
/// By the name alone, of rows that are judged by their time or were compared by `tuneproof versus`.
ValueWords value_words(std::string_view row_name);

/// The value of a row's form as a person reads it; empty where there is none.
std::string value_text(std::string_view row_name, const ValueWords& words, double value);

/// The change of a row as a person reads it: of a rate that of the number that was printed.
std::string printed_change(std::string_view row_name, double ratio, const std::optional<Interval>& interval);

/// What the rows depend on: threads, the workload's options. Those of a command of `versus` go by its name,
/// as its row does, whatever its place; the first, which all are held against, is "1".
std::map<std::string, std::string> settings_of(const results::Session& session);

/// "0x1f"
std::string seed_text(std::uint64_t seed);

}  // namespace harness::compare
