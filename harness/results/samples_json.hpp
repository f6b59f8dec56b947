// The measured numbers of a row as JSON: its timed slots as columns, and the figures beside the times.
#pragma once

#include "harness/results/row.hpp"
#include "harness/support/field.hpp"

#include <vector>

namespace harness::results {

/// Seconds as nanoseconds, to the picosecond; null where nothing was timed.
Json nanoseconds(double seconds);
/// The inverse: 0 for null.
double seconds_from(const Field& nanoseconds);

Json samples_to_json(const Measurement& measured);
std::vector<Sample> samples_from_json(const Field& json);

Json figures_to_json(const std::vector<Figure>& figures);
std::vector<Figure> figures_from_json(const Field& json);

}  // namespace harness::results
