// Predictions as a person reads them, beside what came of them.
#pragma once

#include "harness/results/row.hpp"
#include "harness/support/terminal.hpp"

#include <optional>
#include <span>
#include <string>

namespace harness::run {

/// "2.98 ms [1.10, 4.50]" in the unit of the value: what is saved; "-61.0 us [..]" where it costs.
std::string saving_text(double seconds, const Interval& interval);

/// What a run is predicted to save as a change of its time, like the table's own: "-13.2 % [-18.1, -5.6]".
std::string predicted_change(const results::Row& row);

/// What a prediction was made of that rests on another machine's result, as changes of the time: "-26.0 % on
/// AMD EPYC (1 core), -24.1 % by counts here"; empty where it rests on counts alone.
std::string elsewhere_text(const results::Prediction& prediction);

/// The table of `run --predict`: predicted, measured, error, whether the intervals meet, and what it rests
/// on; rows without a prediction say why. Empty where no row has one.
std::string predictions_table(std::span<const results::Row> rows, const Style& style);

}  // namespace harness::run
