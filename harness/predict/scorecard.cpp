#include "harness/predict/scorecard.hpp"

#include "harness/core/median.hpp"
#include "harness/predict/rivals.hpp"
#include "harness/results/machine_name.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

namespace harness::predict {
namespace {

/// The model of the GPU, or else of the processor.
std::string machine_of(const Json& facts) {
  auto gpu = results::gpu_name(facts);
  return gpu.empty() ? results::cpu_name(facts) : gpu;
}

/// What a prediction mostly rests on.
std::string mostly_of(const results::Prediction& prediction) {
  if (prediction.elsewhere) return "a result on another machine";
  return prediction.removes.empty() ? "what was hidden" : prediction.removes[0].what;
}

/// What its interval comes from.
std::string source_of(const Scored& row) {
  if (row.prediction.elsewhere) return "another machine, checked by counts";
  return row.prediction.earlier_rows > 0 ? "misses of earlier rows" : "prices alone";
}

/// Where the file has none.
void look_elsewhere(Scored& row, std::span<const Known> known) {
  if (row.elsewhere) return;
  if (const auto* const there = newest_elsewhere(known, row.row, row.facts))
    row.elsewhere = results::Elsewhere{
        .machine = {}, .started = there->started, .share = there->share, .counted = row.prediction.saving};
}

void add_unscored(Scorecard& card, const std::string& reason) {
  const auto found = std::ranges::find(card.without, reason, &Unscored::reason);
  if (found == card.without.end())
    card.without.push_back({reason, 1});
  else
    ++found->rows;
}

std::vector<Score> scores_by(const Scorecard& card,
                             const std::function<std::string(const Scored&)>& name_of) {
  std::map<std::string, std::vector<const Scored*>> groups;
  for (const auto& row : card.rows) groups[name_of(row)].push_back(&row);
  std::vector<Score> scores;
  for (const auto& [name, rows] : groups) scores.push_back(score_of(name, rows));
  return scores;
}

}  // namespace

Trust Scorecard::trust() const {
  if (all.rows < fewest_predictions) return Trust::too_few;
  return all.coverage() < least_coverage ? Trust::no : Trust::yes;
}

double Scored::width() const { return (prediction.interval.high - prediction.interval.low) / check.form; }

double Scored::interval_score() const {
  const auto& [low, high] = prediction.interval;
  const auto beyond = std::max({low - check.saving, check.saving - high, 0.0});
  return width() + 2 / (1 - promised_coverage) * beyond / check.form;
}

Score score_of(std::string of, std::span<const Scored* const> rows) {
  Score score{.of = std::move(of), .rows = static_cast<int>(rows.size())};
  if (rows.empty()) return score;
  std::vector<double> errors;
  std::vector<double> sizes;
  std::vector<double> widths;
  for (const auto* row : rows) {
    score.met += row->check.meets ? 1 : 0;
    score.inside += row->check.inside ? 1 : 0;
    score.saved_more += row->saved_more() ? 1 : 0;
    score.saved_less += row->missed() && !row->saved_more() ? 1 : 0;
    errors.push_back(row->check.error);
    sizes.push_back(std::abs(row->check.error));
    widths.push_back(row->width());
    score.interval_score += row->interval_score() / score.rows;
  }
  score.bias = median(errors);
  score.median_error = median(sizes);
  score.median_width = median(widths);
  return score;
}

std::vector<Miss> misses_of(std::span<const Scored> rows) {
  std::vector<Miss> misses;
  for (const auto& row : rows) {
    const auto add = [&](Basis basis, double saving, double unit) {
      if (unit > 0)
        misses.push_back({row.step, row.machine_class, basis, std::abs(saving - row.check.saving) / unit});
    };
    const auto form = row.check.form;
    add(basis_of(row.prediction), results::counted_saving(row.prediction), unit_of(row.prediction));
    if (row.elsewhere) add(Basis::elsewhere, row.elsewhere->share * form, unit_of(*row.elsewhere, form));
  }
  return misses;
}

void add_results(Scorecard& card, const results::Results& results, const std::string& file) {
  std::ranges::move(known_rows(results), std::back_inserter(card.known));
  const auto facts = machine_facts(results.fingerprint);
  for (const auto& row : results.rows) {
    if (!row.prediction) continue;
    const auto check = results::check_prediction(row);
    if (!row.prediction->reason.empty())
      add_unscored(card, row.prediction->reason);
    else if (!check)
      ++card.unmeasured;
    else
      card.rows.push_back({.file = file,
                           .row = row.name,
                           .step = row.step,
                           .machine = machine_of(facts),
                           .prediction = *row.prediction,
                           .check = *check,
                           .mostly = mostly_of(*row.prediction),
                           .machine_class = results::machine_class(results.fingerprint),
                           .facts = has_usual_options(results.session) ? facts : Json::object(),
                           .elsewhere = row.prediction->elsewhere});
  }
}

void finish(Scorecard& card) {
  std::vector<const Scored*> rows;
  for (auto& row : card.rows) {
    look_elsewhere(row, card.known);
    rows.push_back(&row);
  }
  card.all = score_of("all", rows);
  card.machines = scores_by(card, [](const Scored& row) { return row.machine; });
  card.kinds = scores_by(card, [](const Scored& row) { return row.mostly; });
  card.sources = scores_by(card, source_of);
  card.rivals = rivals_of(card);
  for (auto* scores : {&card.kinds, &card.sources})
    std::ranges::stable_sort(*scores, std::ranges::greater(), &Score::rows);
  std::ranges::stable_sort(card.without, std::ranges::greater(), &Unscored::rows);
}

}  // namespace harness::predict
