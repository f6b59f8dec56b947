// What the rounds of a row say so far, and all rows of a session judged together (docs/measuring.md 7), since
// some of many verdicts are wrong by chance.
#pragma once

#include "harness/results/results.hpp"
#include "harness/results/row.hpp"

namespace harness::run {

/// Judges a row at the last look that its rounds have reached; between looks no verdict falls. A row on a
/// device is disturbed by what its clocks did in those rounds.
void judge_row(results::Row& row, const results::Results& results);

/// What the processes of its first rounds have shown, of a row of commands, each of whose samples is one.
std::optional<Processes> processes_of(const results::Row& row, std::size_t rounds);

/// The crossed pairs that the row's further rounds take: as many as make its interval narrowest for the time
/// (docs/measuring.md 5). As before where the noise cannot be split, since rounds have one pair.
int pairs_from_here(const results::Row& row);

/// The same before the noise can be split, from one round of one pair: as many as make the timed slots last
/// about as long as that whole round.
int pairs_by_share(const results::Row& round);

/// Sets `confirmed` of each row: its verdict also stands in the list of all that help, hurt or have no
/// effect, of which at most list_q are wrong on average (Benjamini-Hochberg).
void judge_together(std::span<results::Row> rows);

}  // namespace harness::run
