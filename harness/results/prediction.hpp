// What a row was predicted to save, before it ran; and what came of it.
#pragma once

#include "harness/core/interval.hpp"
#include "harness/results/row.hpp"
#include "harness/support/field.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace harness::results {

/// One that says why there is none.
inline Prediction no_prediction(std::string reason) {
  Prediction prediction;
  prediction.reason = std::move(reason);
  return prediction;
}

/// What operators that were run again are called among the work that a tip removes.
inline constexpr std::string_view run_again = "operators run again";

/// True where what was counted rests on them.
bool is_replayed(const Prediction& prediction);

/// What counts and prices say by themselves, whatever was seen on another machine. Seconds.
inline double counted_saving(const Prediction& prediction) {
  return prediction.elsewhere ? prediction.elsewhere->counted : prediction.saving;
}

/// A saved share of a form's time. Throws BadInput where it is above 1 or no number.
double share_from(const Field& json);

/// Measured against predicted, once the row has run. Seconds of one run; above 0: saved. Shares are compared:
/// the process that predicts may find the form below slower or faster than the rounds do.
struct PredictionCheck {
  double form = 0;  // what the form below takes, as it was when the row was predicted
  double saving = 0;
  Interval interval;
  double error = 0;     // predicted less measured, as a share of the form below
  bool meets = false;   // the two intervals have a value in common
  bool inside = false;  // the predicted interval holds the measured saving itself
};

/// Nothing where nothing was predicted, or the row came to no interval of its time.
std::optional<PredictionCheck> check_prediction(const Row& row);

/// Why a row has none for its own sake; empty where it may have one.
std::string unpredictable(const Row& row);

}  // namespace harness::results
