#include "harness/predict/rivals.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

namespace harness::predict {
namespace {

/// What a rule says that a row saves, as a share of the naive form's time; nothing where it says nothing.
using Rule = std::function<std::optional<double>(const Scored&)>;

struct Guess {
  const Scored* row = nullptr;
  double share = 0;

  double miss() const { return std::abs(share - row->check.saving / row->naive_seconds); }
};

/// Which half width would have held the promised share of the guesses at other steps; nothing where they are
/// too few to say.
std::optional<double> half_width(const std::vector<Guess>& guesses, const std::string& step) {
  std::vector<double> misses;
  for (const auto& guess : guesses)
    if (guess.row->step != step) misses.push_back(guess.miss());
  const auto rank =
      static_cast<std::size_t>(std::ceil(promised_coverage * static_cast<double>(misses.size() + 1)));
  if (rank == 0 || rank > misses.size()) return std::nullopt;
  std::ranges::nth_element(misses, misses.begin() + static_cast<std::ptrdiff_t>(rank - 1));
  return misses[rank - 1];
}

/// The row as if the rule had predicted it.
Scored as_guessed(const Guess& guess, double half) {
  auto row = *guess.row;
  const auto unit = row.naive_seconds;
  row.prediction.saving = guess.share * unit;
  row.prediction.interval = {(guess.share - half) * unit, (guess.share + half) * unit};
  const auto& [low, high] = row.prediction.interval;
  row.check.error = (row.prediction.saving - row.check.saving) / unit;
  row.check.meets = low <= row.check.interval.high && row.check.interval.low <= high;
  row.check.inside = low <= row.check.saving && row.check.saving <= high;
  return row;
}

std::optional<Rival> rival(const Scorecard& card, std::string name, const Rule& rule) {
  std::vector<Guess> guesses;
  for (const auto& row : card.rows)
    if (const auto share = rule(row)) guesses.push_back({&row, *share});
  std::vector<Scored> guessed;
  std::vector<const Scored*> ours, theirs;
  for (const auto& guess : guesses)
    if (const auto half = half_width(guesses, guess.row->step)) {
      guessed.push_back(as_guessed(guess, *half));
      ours.push_back(guess.row);
    }
  if (guessed.empty()) return std::nullopt;
  for (const auto& row : guessed) theirs.push_back(&row);
  return Rival{score_of(std::move(name), theirs), score_of("  the same rows, predicted", ours)};
}

/// The newest result of the row on a machine of another class.
std::optional<double> elsewhere(const Scorecard& card, const Scored& row) {
  const Known* newest = nullptr;
  for (const auto& known : card.known)
    if (known.row == row.row && known.machine_class != row.machine_class &&
        (newest == nullptr || known.started > newest->started))
      newest = &known;
  return newest == nullptr ? std::nullopt : std::optional(newest->share);
}

}  // namespace

std::vector<Rival> rivals_of(const Scorecard& card) {
  std::vector<Rival> all;
  if (auto none = rival(card, "no effect", [](const Scored&) { return std::optional(0.0); }))
    all.push_back(*std::move(none));
  if (auto same =
          rival(card, "as on another machine", [&](const Scored& row) { return elsewhere(card, row); }))
    all.push_back(*std::move(same));
  return all;
}

}  // namespace harness::predict
