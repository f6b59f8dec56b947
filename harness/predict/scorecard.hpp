// How good the predictions are: over all rows of results files that were predicted and then measured.
#pragma once

#include "harness/predict/known_rows.hpp"
#include "harness/predict/misses.hpp"
#include "harness/results/prediction.hpp"
#include "harness/results/results.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace harness::predict {

constexpr double least_coverage = 0.8;  // below it the model is not to be trusted
constexpr int fewest_predictions = 10;  // fewer tell nothing of coverage: 4 of 5 may be luck

/// One row that was predicted and measured.
struct Scored {
  std::string file;
  std::string row;
  std::string step;
  std::string machine;  // its name, for a person
  results::Prediction prediction;
  results::PredictionCheck check;
  std::string mostly;  // the kind of work that most of the prediction rests on
  std::string machine_class;
  Json facts;  // of the class; empty where unusual options make the row like no other of its name
  /// What the prediction rests on, or could have: filled in by `finish` where the file has none.
  std::optional<results::Elsewhere> elsewhere = {};

  /// Above the interval: more was saved than predicted; below it, less.
  bool missed() const { return !check.meets; }
  bool saved_more() const { return missed() && check.saving > prediction.saving; }
  /// Of the predicted interval, as a share of the form below.
  double width() const;
  /// The same, and 2 / (1 - promised coverage) times the distance of the measured saving from the interval
  /// (Gneiting and Raftery 2007, 6.2): the lower the better, and neither a wide nor a narrow interval pays.
  double interval_score() const;
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
  double median_error = 0;    // the median of the absolute errors
  double bias = 0;            // the median of the errors: above 0, too much was promised
  double median_width = 0;    // of the intervals
  double interval_score = 0;  // the mean
  double coverage() const { return rows > 0 ? static_cast<double>(met) / rows : 0; }
};

/// A rule that knows nothing of the work, and the predictions of the same rows.
struct Rival {
  Score rule;
  Score predictions;
};

enum class Trust { yes, no, too_few };

struct Scorecard {
  std::vector<Scored> rows;  // in order of the files
  std::vector<Unscored> without;
  int unmeasured = 0;  // predicted rows that came to no interval
  Score all;
  std::vector<Score> machines;  // by name
  std::vector<Score> kinds;     // of work that a prediction mostly rests on, most rows first
  std::vector<Score> sources;   // of the intervals: the rules have changed, most rows first
  std::vector<Rival> rivals;
  std::vector<Known> known;  // of all files, and what else is known when the scores are filled in

  Trust trust() const;
};

/// Adds the predicted rows of one file, and what it measured.
void add_results(Scorecard& card, const results::Results& results, const std::string& file);
/// Fills in the scores, once all files have been added.
void finish(Scorecard& card);

/// Those of the counted savings, and of the other machines' results.
std::vector<Miss> misses_of(std::span<const Scored> rows);

Score score_of(std::string of, std::span<const Scored* const> rows);

}  // namespace harness::predict
