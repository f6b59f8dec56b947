// The measured numbers of a row as JSON: its timed slots as
// columns, and the figures beside the times; with the names under
// which a results file says what a row is judged and timed by.
#pragma once

#include "harness/results/row.hpp"
#include "harness/support/field.hpp"

#include <string_view>
#include <vector>

namespace harness::results {

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
