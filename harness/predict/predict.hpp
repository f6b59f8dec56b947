// Counts x prices -> what a tip will save. Pure arithmetic: docs/predictions.md has it in words.
#pragma once

#include "harness/predict/price_book.hpp"
#include "harness/predict/work.hpp"
#include "harness/results/row.hpp"

#include <optional>

namespace harness::predict {

/// What is known before the step runs: both forms counted, and the time of the one below.
struct Before {
  Counted below;
  Counted above;
  double below_seconds = 0;  // of one run, without the profiler
  std::optional<results::Replay> replay = {};
};

/// The list must explain the time of the form below at least to this share, and at most to its inverse.
constexpr double least_explained = 1.0 / 3;

/// Never throws; a prediction without numbers says why.
results::Prediction predict(const Before& before, const PriceBook& prices);

}  // namespace harness::predict
