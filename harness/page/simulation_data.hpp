// Simulated rows on the page: beside what was measured, and never taken for it.
#pragma once

#include "harness/support/field.hpp"

namespace harness::page {

/// True for a file of `tuneproof simulate --json`.
bool is_simulation(const Field& root);

/// Its rows, for a section of their own with the file's warning. Throws BadInput where it is malformed.
Json simulation_data(const Field& root);

}  // namespace harness::page
