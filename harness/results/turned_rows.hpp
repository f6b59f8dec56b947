// Turns rows of old files whose steps have changed sides since.
#pragma once

#include "harness/results/row.hpp"

namespace harness::results {

/// Before 1.11 six steps had what they warn of as their optimized form. Turns such a row's forms, so that it
/// says what a row of today says; leaves any other row as it is.
void turn_old_row(Row& row);

}  // namespace harness::results
