// Which open rows get more rounds: those that are near their verdict for the time that it takes
// (docs/measuring.md 5). Whatever it chooses, verdicts fall at the planned looks alone, and each look has its
// share of the error: choosing rows badly costs verdicts, never makes false ones.
#pragma once

#include "harness/core/verdict.hpp"

namespace harness::inline core {

/// The looks of a session that allots its rounds, behind early_looks. Each has a fifth of the error: k = 1,
/// 2, 4, 9 and 17.
inline const std::vector<int> allotted_looks = {10, 14, 21, 35, 56};

/// Looks at each of which a row of that error has an interval. Rows that share a session's error may have
/// none at the first one: it then comes at the first number of rounds that has one, in place of those before
/// it.
std::vector<int> looks_with_interval(std::vector<int> looks, double alpha);

/// The rounds of every row that a session takes which does not allot them.
constexpr int even_rounds = 14;

/// A session that allots its rounds may take as long as so many rounds of every row, or as its first look.
constexpr double allotted_rounds = 10;
/// The same of the quick suite, whose rehearsal counts too: whoever waits for it waits for both. It takes all
/// that others may where they end by then, in seconds: with its start and a slow last round that is 90 s.
constexpr double quick_rounds = 6.5;
constexpr double most_seconds_of_quick = 85;

/// Seconds that a session may take at least.
constexpr double least_allotment = 20;

/// A row is hopeless below this chance of a verdict at any look that is left.
constexpr double least_chance = 0.15;

/// An open row after a look.
struct OpenRow {
  std::span<const double> log_ratios;  // of all its rounds
  double delta = 0.03;
  double seconds = 1;                       // that a round of it takes
  std::optional<Processes> processes = {};  // of all its rounds, where each sample is one of its own
};

/// The chance that the row has a verdict when it is judged at `look`, an early one included, if its further
/// rounds are like those it has: their median lies normally about the present one, or its processes tell and
/// the ends of theirs that count stay those of the present ones. Not below two rounds: 0.
double chance_at(const OpenRow& row, const Rule& rule, int look);

/// What is best done with a row: go on to that look.
struct Outlook {
  int look = 0;  // 0: hopeless
  double chance = 0;
  double seconds = 0;  // of all its rounds until then
};
/// Of the looks that it reaches within `seconds`, the one with the largest chance for its time; it is
/// hopeless where none has the chance `least`.
Outlook outlook(const OpenRow& row, const Rule& rule, double seconds, double least = least_chance);

/// The rows, by place, that go on to their next look, where `seconds` are left: those with the largest chance
/// for their time first, until the time is full; never a hopeless one. `start` is what a round costs beside
/// its rows. `least` as above.
std::vector<std::size_t> allot(std::span<const OpenRow> rows, const Rule& rule, double seconds, double start,
                               double least = least_chance);

}  // namespace harness::inline core
