// Base against head by what they do, counted once: calls, bytes, instructions. No rounds, since counts carry
// no noise: the gate for machines that others share (docs/compare.md).
#pragma once

#include "harness/compare/gate_session.hpp"

namespace harness::compare {

/// Counts the instructions of rows in a process of that program; hands over each row that has ended. Returns
/// the signal that ended it early.
using CountRows =
    std::function<std::optional<int>(run::ContestBuild build, const std::vector<results::Row>& rows,
                                     const std::function<void(results::Row)>& ended)>;

/// Rehearses the rows of the session that are not skipped in both programs, which compares their forms'
/// answers and counts calls and bytes, and counts their instructions. Throws what the runner throws.
GateOutcome count_gate(results::Results session, const run::Launch& launch, const CountRows& count);

}  // namespace harness::compare
