// Rows that were predicted and measured, and the card of them.
#pragma once

#include "tests/harness/run/rows.hpp"

#include "harness/predict/scorecard.hpp"

#include <string>
#include <utility>
#include <vector>

namespace harness::example {

/// A run of the naive form takes 1 ms; `saved` of it is measured, give or take 10 us.
inline results::Row measured(const std::string& point, double saved) {
  return judged(row("launch/fuse", point), Verdict::helps, {1e-3, 1e-3 - saved},
                {1 - (saved + 10e-6) / 1e-3, 1 - (saved - 10e-6) / 1e-3});
}

inline results::Row scored(const std::string& point, double predicted, double saved,
                           std::string what = "operator calls") {
  auto row = measured(point, saved);
  row.prediction = results::Prediction{
      .saving = predicted,
      .interval = {predicted - 20e-6, predicted + 20e-6},
      .explained = 0.8,
      .below = 1e-3,
      .removes = {{.what = std::move(what), .count = 10, .seconds = predicted, .interval = {}}}};
  return row;
}

inline results::Results results_with(std::vector<results::Row> rows) {
  results::Results results;
  results.fingerprint.hard = {{"machine", {{"cpu_model", "AMD EPYC"}, {"gpu", nullptr}}}};
  results.rows = std::move(rows);
  return results;
}

inline predict::Scorecard card_of(std::vector<results::Row> rows) {
  predict::Scorecard card;
  add_results(card, results_with(std::move(rows)), "r.json");
  finish(card);
  return card;
}

}  // namespace harness::example
