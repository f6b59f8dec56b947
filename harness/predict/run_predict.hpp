// `tuneproof run --predict`: before anything is measured, what each row's tip will save.
#pragma once

#include "harness/predict/price_book.hpp"
#include "harness/profile/profiler.hpp"
#include "harness/run/run_output.hpp"
#include "harness/support/signals.hpp"

#include <optional>

namespace harness::predict {

/// Runs that are recorded to be counted; counts need no more, since a run does the same each time.
inline constexpr results::Schedule counted_schedule{.wait = 1, .warmup = 1, .active = 2, .repeat = 1};

/// Predicts the rows that have not been measured, each from a process of its own, and stores what is
/// predicted; `order` is complete but for the row, and its traces are not kept. Returns the signal that ended
/// it early, if one did.
std::optional<int> predict_rows(results::Results& results, const PriceBook& prices,
                                const profile::ProfileOrder& order, run::RunOutput& output,
                                SignalWatch& signals);

}  // namespace harness::predict
