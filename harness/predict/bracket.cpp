#include "harness/predict/bracket.hpp"

#include "harness/results/prediction.hpp"

#include <algorithm>

namespace harness::predict {
namespace {

/// What the prices leave unexplained of the form below is work of another kind, which the tip leaves alone:
/// the saving is the removed work's price. Or the prices are off by the same factor everywhere: then it is
/// that price divided by the share that they explain. The mean of the two is predicted. How far each price by
/// itself is off, and which way, is not known: by no more than that factor, as the interval takes it.
void bracket_prices(results::Prediction& prediction) {
  const double factor = std::max(prediction.explained, 1 / prediction.explained);
  double priced = 0;
  for (const auto& work : prediction.removes) {
    priced += work.seconds;
    prediction.interval.low += std::min(work.interval.low / factor, work.interval.low * factor);
    prediction.interval.high += std::max(work.interval.high / factor, work.interval.high * factor);
  }
  prediction.saving = (priced + priced / prediction.explained) / 2;
}

/// Operators that were run again take longer or shorter by themselves than within the form, all by about the
/// same factor: that of the form's whole time.
void bracket_replay(results::Prediction& prediction) {
  for (const auto& work : prediction.removes) {
    prediction.saving += work.seconds / prediction.explained;
    prediction.interval.low += work.interval.low / prediction.explained;
    prediction.interval.high += work.interval.high / prediction.explained;
  }
}

/// No tip saves more than the form below takes, and the interval holds what is predicted.
void confine(results::Prediction& prediction) {
  prediction.saving = std::min(prediction.saving, prediction.below);
  prediction.interval.low = std::min(prediction.interval.low, prediction.saving);
  prediction.interval.high =
      std::max(std::min(prediction.interval.high, prediction.below), prediction.saving);
}

}  // namespace

void bracket(results::Prediction& prediction) {
  if (results::is_replayed(prediction))
    bracket_replay(prediction);
  else
    bracket_prices(prediction);
  confine(prediction);
}

}  // namespace harness::predict
