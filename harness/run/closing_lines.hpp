// What stands below the table: a run's last lines on its rows, what contradicts its source, and what cannot
// tell.
#pragma once

#include "harness/results/row.hpp"
#include "harness/support/terminal.hpp"

namespace harness::run {

/// Of each step the row that gains most, the largest gain first: of whole ladders, or of single tips.
std::vector<const results::Row*> gains(std::span<const results::Row> rows, bool ladders);

/// The rows to explain first, at most three, each of another step: the largest gains, of single tips where
/// there are any; else the largest losses; empty without a verdict.
std::vector<const results::Row*> worth_a_look(std::span<const results::Row> rows);

/// That nothing contradicts its source, what counts tell where time cannot, which rows cannot tell and what
/// to do about it, and whether the machine was disturbed. `what_to_do` takes the place of the usual advice.
std::vector<std::string> remarks(std::span<const results::Row> rows, const std::string& what_to_do);

/// What helped most, what hurts, what contradicts its source, and the remarks.
std::vector<std::string> closing_lines(std::span<const results::Row> rows, const std::string& what_to_do);

/// "14 rounds", "3 to 14 rounds": how many the measured rows have; empty where none has any.
std::string rounds_of_rows(std::span<const results::Row> rows);

/// "12 faster, 3 same, ..., 9 skipped"; what helps most, what hurts, what contradicts its source, which rows
/// cannot tell and what to do about it; what the rounds are. `what_to_do` about rows
/// that cannot tell, where more is known than the rows say: advice().
std::string summary(std::span<const results::Row> rows, const Style& style,
                    const std::string& what_to_do = {});

}  // namespace harness::run
