// A row as JSON: an entry of `tuneproof.pairs` in the results file, and what a worker sends to its parent;
// its profile too. Times are in nanoseconds there, in seconds here.
#pragma once

#include "harness/results/profile.hpp"
#include "harness/results/row.hpp"
#include "harness/support/field.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace harness::results {

Json row_to_json(const Row& row);
/// Throws BadInput naming the field that is missing or of the wrong type.
Row row_from_json(const Field& json);

/// Measurement::calibrations.
std::map<std::string, int> calibrations_from_json(const Field& json);

/// The part of a row that says where it stands: step, coordinates, device.
Json place_to_json(const Row& row);
Row place_from_json(const Field& json);

/// Throws BadInput where the name is empty, longer than 16 KiB or has control characters: it goes to
/// terminals and to other tools.
std::string row_name_from(const Field& field);

Json profile_to_json(const RowProfile& profile);
/// Throws BadInput.
RowProfile profile_from_json(const Field& json);

// The measured numbers of a row as JSON: its timed slots as
// columns, and the figures beside the times; with the names under
// which a results file says what a row is judged and timed by.

/// "wall_time", "gpu_time", "p99_over_median" or "first_figure".
std::string_view metric_of(const Measurement& measured);
/// What a row of that metric is judged by; a name that is not known is taken for a time.
Statistic statistic_from(std::string_view metric);

/// "cuda_event" or "steady_clock".
std::string_view timer_name(Timer timer);

/// Seconds as nanoseconds, to the picosecond; null where nothing was timed.
Json nanoseconds(double seconds);
/// The inverse: 0 for null.
double seconds_from(const Field& nanoseconds);

Json samples_to_json(const Measurement& measured);
std::vector<Sample> samples_from_json(const Field& json);

Json figures_to_json(const std::vector<Figure>& figures);
std::vector<Figure> figures_from_json(const Field& json);

}  // namespace harness::results
