// A row as JSON: an entry of `tuneproof.pairs` in the results file, and what a worker sends to its parent;
// its profile too. Times are in nanoseconds there, in seconds here.
#pragma once

#include "harness/results/row.hpp"
#include "harness/support/json_members.hpp"

namespace harness::results {

Json row_to_json(const Row& row);
/// Throws BadInput naming the field that is missing or of the wrong type.
Row row_from_json(const Field& json);

/// Measurement::calibrations.
std::map<std::string, int> calibrations_from_json(const Field& json);
inline constexpr Way as_calibrations{[](const std::map<std::string, int>& all) { return Json(all); },
                                     calibrations_from_json};

/// In older files twelve steps have what they warn of as their optimized form. Turns such a row's forms, so
/// that it says what a row of today says; leaves any other row as it is.
void turn_old_row(Row& row);

/// An entry of `tuneproof.errors`: of a row that was skipped or failed.
Json error_to_json(const Row& row);
Row error_from_json(const Field& json);

/// Throws BadInput where the name is empty, longer than 16 KiB or has control characters: it goes to
/// terminals and to other tools.
std::string row_name_from(const Field& field);

inline constexpr auto as_form = word_of(std::array{Form::naive, Form::optimized}, "is not a form");
Schedule schedule_from(const Field& field);
inline constexpr Way as_schedule{[](const Schedule& schedule) { return to_string(schedule); }, schedule_from};

Json profile_to_json(const RowProfile& profile);
/// Throws BadInput.
RowProfile profile_from_json(const Field& json);

/// The share of wrong verdicts that a session allows. Throws BadInput where it is none, or so small that the
/// quantile of a normal distribution which belongs to it is infinite.
double alpha_from(const Field& field);

/// "wall_time", "gpu_time", "p99_over_median" or "first_figure".
std::string_view metric_of(const Measurement& measured);
/// "cuda_event" or "steady_clock".
std::string_view timer_name(Timer timer);

/// Seconds as nanoseconds, to the picosecond; null where nothing was timed.
Json nanoseconds(double seconds);
/// The inverse: 0 for null.
double seconds_from(const Field& nanoseconds);
inline constexpr Way in_nanoseconds{nanoseconds, seconds_from};

}  // namespace harness::results
