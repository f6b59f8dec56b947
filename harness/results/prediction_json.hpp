// A row's prediction in a results file. Since schema 1.6.
#pragma once

#include "harness/results/row.hpp"
#include "harness/support/field.hpp"

namespace harness::results {

/// With what came of it, where the row has been measured; that part is worked out anew when it is read.
Json prediction_to_json(const Row& row);
Prediction prediction_from_json(const Field& json);

}  // namespace harness::results
