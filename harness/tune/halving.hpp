// A search without Python: successive halving (Jamieson and Talwalkar, AISTATS 2016). Settings drawn by the
// seed are all tried once; the faster half is tried again, half of these twice more, and so on.
#pragma once

#include "harness/tune/search.hpp"
#include "harness/tune/store.hpp"

#include <cstddef>
#include <vector>

namespace harness::tune {

/// What takes part: the standard settings, what checklists advise, and others drawn by the seed, as many as
/// fit into the plan's trials.
std::vector<Settings> contestants(const Plan& plan);

/// What is tried next after these trials; nothing: the best is found.
std::optional<Asked> next_of_halving(const Plan& plan, const std::vector<Settings>& contestants,
                                     const std::vector<Tried>& trials);

/// Keeps its trials in the store, which must outlive it.
Searcher halving(const Plan& plan, TrialStore& store);

}  // namespace harness::tune
