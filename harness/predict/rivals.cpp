#include "harness/predict/rivals.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

namespace harness::predict {
namespace {

/// What a rule says that a row saves, and what its misses are measured in: seconds.
struct Guess {
  const Scored* row = nullptr;
  double saving = 0;
  double unit = 0;

  double miss() const { return std::abs(saving - row->check.saving) / unit; }
};

/// Nothing where it says nothing.
using Rule = std::function<std::optional<Guess>(const Scored&)>;

/// Which half width would have held the promised share of the guesses at other steps; nothing where they are
/// too few to say.
std::optional<double> half_width(const std::vector<Guess>& guesses, const Guess& of) {
  std::vector<double> misses;
  for (const auto& guess : guesses)
    if (guess.row->step != of.row->step) misses.push_back(guess.miss());
  const auto bound = bound_of(std::move(misses));
  return bound ? std::optional(*bound * of.unit) : std::nullopt;
}

/// The row as if the rule had predicted it.
Scored as_guessed(const Guess& guess, double half) {
  auto row = *guess.row;
  const auto unit = row.check.form;
  row.prediction.saving = guess.saving;
  row.prediction.interval = {guess.saving - half, std::min(guess.saving + half, unit)};
  const auto& [low, high] = row.prediction.interval;
  row.check.error = (row.prediction.saving - row.check.saving) / unit;
  row.check.meets = low <= row.check.interval.high && row.check.interval.low <= high;
  row.check.inside = low <= row.check.saving && row.check.saving <= high;
  return row;
}

std::optional<Rival> rival(const Scorecard& card, std::string name, const Rule& rule) {
  std::vector<Guess> guesses;
  for (const auto& row : card.rows)
    if (const auto guess = rule(row)) guesses.push_back(*guess);
  std::vector<Scored> guessed;
  std::vector<const Scored*> ours, theirs;
  for (const auto& guess : guesses)
    if (const auto half = half_width(guesses, guess)) {
      guessed.push_back(as_guessed(guess, *half));
      ours.push_back(guess.row);
    }
  if (guessed.empty()) return std::nullopt;
  for (const auto& row : guessed) theirs.push_back(&row);
  return Rival{score_of(std::move(name), theirs), score_of("  the same rows, predicted", ours)};
}

Guess of_the_form(const Scored& row, double share) { return {&row, share * row.check.form, row.check.form}; }

/// The newest result of the row on a machine of another class.
std::optional<Guess> elsewhere(const Scored& row) {
  return row.elsewhere ? std::optional(of_the_form(row, row.elsewhere->share)) : std::nullopt;
}

/// The same, trusted as far as it agrees with what was counted here.
std::optional<Guess> checked(const Scored& row) {
  auto guess = elsewhere(row);
  if (guess) guess->unit = unit_of(*row.elsewhere, row.check.form);
  return guess;
}

}  // namespace

std::vector<Rival> rivals_of(const Scorecard& card) {
  const auto counted = [](const Scored& row) {
    return std::optional(Guess{&row, results::counted_saving(row.prediction), unit_of(row.prediction)});
  };
  const auto nothing = [](const Scored& row) { return std::optional(of_the_form(row, 0)); };
  std::vector<Rival> all;
  for (auto& one : {rival(card, "by counts, intervals from misses", counted),
                    rival(card, "no effect", nothing), rival(card, "as on another machine", elsewhere),
                    rival(card, "another machine, checked by counts", checked)})
    if (one) all.push_back(*one);
  return all;
}

}  // namespace harness::predict
