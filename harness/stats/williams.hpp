// The orders of more than two variants: each follows each other one equally often. measuring.md 2.1.
#pragma once

#include <vector>

namespace harness {

/// The rows of a Williams square of `variants` variants: 0, 1, V-1, 2, V-2, ... and the same shifted by 1 to
/// V-1; for an odd number the reversed rows as well. Every ordered pair of neighbours occurs equally often.
std::vector<std::vector<int>> williams_square(int variants);

/// The order of one round: the rows of the square in turn.
std::vector<int> williams_row(int variants, int round);

}  // namespace harness
