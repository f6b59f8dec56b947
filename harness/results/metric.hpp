// The names under which a results file says what a row is judged and timed by.
#pragma once

#include "harness/results/row.hpp"

#include <string_view>

namespace harness::results {

/// "wall_time", "gpu_time", "p99_over_median" or "first_figure".
std::string_view metric_of(const Measurement& measured);
/// What a row of that metric is judged by; a name that is not known is taken for a time.
Statistic statistic_from(std::string_view metric);

/// "cuda_event" or "steady_clock".
std::string_view timer_name(Timer timer);

}  // namespace harness::results
