// Chooses the rows that a short budget has time for.
#pragma once

#include "harness/results/row.hpp"

namespace harness::run {

/// Skips the rows that do not fit, if even the first verdicts of all would take longer than the budget: those
/// with a published outcome go first, and then the shorter ones; one row always stays. `seconds` is about how
/// long a row takes. Returns a sentence on what was left out; empty: nothing.
std::string fit_budget(std::vector<results::Row>& rows, std::chrono::duration<double> budget,
                       const std::string& budget_text,
                       const std::function<double(const results::Row&)>& seconds);

}  // namespace harness::run
