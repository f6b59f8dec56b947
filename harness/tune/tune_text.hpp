// A search and its proof in the terminal.
#pragma once

#include "harness/support/terminal.hpp"
#include "harness/tune/search.hpp"
#include "harness/tune/tune_file.hpp"

#include <string>

namespace harness::tune {

/// The knobs, and how long search and proof should take: `tune --dry-run`.
std::string plan_text(const Plan& plan, const Style& style);

/// "trial 7/40: batch_size=64 workers=2: 1.23 ms per sample, 312 MiB, loss 2.87; best so far -22.1 % (trial
/// 5)".
std::string trial_line(const Plan& plan, const Tried& tried, const std::vector<Tried>& trials);

/// What the search has found: counts, the best, the front, what mattered.
std::string search_text(const Outcome& outcome, const Style& style);

/// The proof, what follows, and what to do next. `file`: where the settings were written; empty: nowhere.
std::string proof_page(const Outcome& outcome, const std::string& file, const Style& style);

}  // namespace harness::tune
