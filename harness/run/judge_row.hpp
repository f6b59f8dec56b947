// What the rounds of a row say so far.
#pragma once

#include "harness/results/results.hpp"

namespace harness::run {

/// Judges a row at the last look that its rounds have reached; between looks no verdict falls. A row on a
/// device is disturbed by what its clocks did in those rounds.
void judge_row(results::Row& row, const results::Results& results);

/// The crossed pairs that the row's further rounds take: as many as make its interval narrowest for the time
/// (docs/measuring.md 5). As before where the noise cannot be split, since rounds have one pair.
int pairs_from_here(const results::Row& row);

}  // namespace harness::run
