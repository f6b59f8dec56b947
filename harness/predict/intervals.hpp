// How wide a prediction's interval is, from the misses of earlier ones: rules 4 to 8 of docs/predictions.md.
#pragma once

#include "harness/predict/misses.hpp"

#include <span>
#include <string>

namespace harness::predict {

/// Where a prediction is made, and what is known there of earlier ones.
struct Calibration {
  std::string step;
  std::string machine_class;
  std::span<const Miss> misses;
};

/// Gives what was counted the interval that its earlier misses ask for: those of the same basis and of other
/// steps, on this class of machine if they are enough, else on all. Leaves it as it is where they are too
/// few. Where the interval would be wider than the form below takes, there is a reason and no prediction.
void widen(results::Prediction& prediction, const Calibration& known);

/// Takes the saving from another machine's result, where something was counted, too. The interval is as
/// above, and so is what happens where misses are too few or it is too wide.
void take_from(const results::Elsewhere& elsewhere, results::Prediction& prediction,
               const Calibration& known);

}  // namespace harness::predict
