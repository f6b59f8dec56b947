// Time lines as text: what host and device do side by side.
#pragma once

#include "harness/simulate/simulate.hpp"

#include <string>
#include <vector>

namespace harness::simulate {

/// Of both forms of each row that can be simulated, on one time scale for the row: a line for the host and
/// one for each engine that does anything. A letter is a part of the whole time: `#` works for more than half
/// of it,
/// `+` for less, `.` waits (the host only).
std::string lines_text(const std::vector<SimulatedRow>& rows);

}  // namespace harness::simulate
