// A row's profile in the results file, and on its way from the worker.
#pragma once

#include "harness/results/profile.hpp"
#include "harness/support/field.hpp"

namespace harness::results {

Json profile_to_json(const RowProfile& profile);
/// Throws BadInput.
RowProfile profile_from_json(const Field& json);

}  // namespace harness::results
