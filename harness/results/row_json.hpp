// A row as JSON: an entry of `tuneproof.pairs` in the results file, and what a worker sends to its parent;
// its profile too. Times are in nanoseconds there, in seconds here.
#pragma once

#include "harness/results/profile.hpp"
#include "harness/results/row.hpp"
#include "harness/support/field.hpp"

#include <map>
#include <string>

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

}  // namespace harness::results
