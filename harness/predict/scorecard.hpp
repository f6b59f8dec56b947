// How good the predictions are: over all rows of results files that were predicted and then measured.
#pragma once

#include "harness/results/prediction.hpp"
#include "harness/results/results.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace harness::predict {

constexpr double promised_coverage = 0.9;  // of the predicted intervals
constexpr double least_coverage = 0.8;     // below it the model is not to be trusted
constexpr int fewest_predictions = 10;     // fewer tell nothing of coverage: 4 of 5 may be luck

/// One row that was predicted and measured.
struct Scored {
  std::string file;
  std::string row;
  std::string machine;  // its name, for a person
  results::Prediction prediction;
  results::PredictionCheck check;
  std::string mostly;  // the kind of work that most of the prediction rests on

  /// Above the interval: more was saved than predicted; below it, less.
  bool missed() const { return !check.meets; }
  bool saved_more() const { return missed() && check.saving > prediction.saving; }
};

/// Rows of which nothing was predicted, and why.
struct Unscored {
  std::string reason;
  int rows = 0;
};

/// The sums over some scored rows. Errors are shares of the form below: predicted less measured.
struct Score {
  std::string of;  // "all", a machine, a kind of work
  int rows = 0;
  int met = 0;     // the intervals have a value in common
  int inside = 0;  // the predicted interval holds the measured saving itself
  int saved_more = 0;
  int saved_less = 0;
  double median_error = 0;  // the median of the absolute errors
  double bias = 0;          // the median of the errors: above 0, too much was promised
  double coverage() const { return rows > 0 ? static_cast<double>(met) / rows : 0; }
};

enum class Trust { yes, no, too_few };

struct Scorecard {
  std::vector<Scored> rows;  // in order of the files
  std::vector<Unscored> without;
  int unmeasured = 0;  // predicted rows that came to no interval
  Score all;
  std::vector<Score> machines;  // by name
  std::vector<Score> kinds;     // of work that a prediction mostly rests on, most rows first

  Trust trust() const;
};

/// Adds the predicted rows of one file.
void add_results(Scorecard& card, const results::Results& results, const std::string& file);
/// Fills in the scores, once all files have been added.
void finish(Scorecard& card);

Score score_of(std::string of, std::span<const Scored* const> rows);

}  // namespace harness::predict
