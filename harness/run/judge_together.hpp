// All rows of a session judged together (docs/measuring.md 7): some of many verdicts are wrong by chance.
#pragma once

#include "harness/results/row.hpp"

#include <span>

namespace harness::run {

/// Sets `confirmed` of each row: its verdict also stands in the list of all that help, hurt or have no
/// effect, of which at most list_q are wrong on average (Benjamini-Hochberg).
void judge_together(std::span<results::Row> rows);

}  // namespace harness::run
