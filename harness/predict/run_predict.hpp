// `tuneproof run --predict`: before anything is
// measured, what each row's tip will save. It
// rests on the prices of this machine, which are
// taken once and kept while its fingerprint holds.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/predict/kept_misses.hpp"
#include "harness/predict/price_book.hpp"
#include "harness/profile/run_profile.hpp"
#include "harness/results/fingerprint.hpp"
#include "harness/run/run_output.hpp"
#include "harness/support/signals.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace harness::predict {

/// The machine, its software and the session that prices must be of.
struct PricePlace {
  std::string fingerprint;  // place_of_prices
  Device device;
  int threads = 1;
};

struct PriceTaker {
  std::filesystem::path worker;
  std::function<void(const std::string& line)> say;
};

/// The list in `file`; with no name, the kept one of that place. One that is not there is taken, in about
/// half a minute, and stored. Nothing where a signal came meanwhile. Throws BadInput where the file is
/// damaged or of another place (a file that was named is never replaced), or prices cannot be taken.
std::optional<PriceBook> prices_of(const PricePlace& place, const std::string& file, const PriceTaker& taker,
                                   SignalWatch& signals);

/// Runs that are recorded to be counted; counts need no more, since a run does the same each time.
inline constexpr results::Schedule counted_schedule{.wait = 1, .warmup = 1, .active = 2, .repeat = 1};

/// Predicts the rows that have not been measured, each from a process of its own, with intervals as wide as
/// `earlier` misses ask for and with what other machines have measured, and stores what is predicted; `order`
/// is complete but for the row, and its traces are not kept. Returns the signal that ended it early, if one
/// did.
std::optional<int> predict_rows(results::Results& results, const PriceBook& prices, const Earlier& earlier,
                                const profile::ProfileOrder& order, run::RunOutput& output,
                                SignalWatch& signals);

}  // namespace harness::predict
