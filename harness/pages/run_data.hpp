// What the page shows of a results file and of a history: docs/report.md. The names of the fields are read by
// harness/pages/assets.
#pragma once

#include "harness/compare/comparison.hpp"
#include "harness/compare/history.hpp"
#include "harness/support/field.hpp"

namespace harness::pages {

/// A session: its file, commit, machine, settings and what disturbed it, and its rows. Of a row's samples it
/// has those that the verdict rests on: one ln(ratio) a round, and one time of each form.
Json run_data(const results::Results& run);

/// Two runs held against each other.
Json comparison_data(const compare::Comparison& comparison);

// Published figures as numbers, where their text says two of them: to be marked beside what was measured.

/// "21 -> 19 s/epoch (A30)". `ratio` is that of the times, as in a row: below 1 the change made it faster.
struct PublishedPair {
  double before = 0;
  double after = 0;
  std::string unit;   // "s/epoch"
  std::string where;  // "A30"; empty where the text does not say
  double ratio = 1;
  bool operator==(const PublishedPair&) const = default;
};

/// The pairs of such a text, one for each clause between semicolons that begins with one and has no second.
/// Only units of time, and rates of them ("GB/s"): everything else says nothing about a row's ratio.
std::vector<PublishedPair> published_pairs(std::string_view text);

/// {"sessions": [{"started", "commit", "machine", "software"}], "rows": [{"name", "at", "naive", "optimized",
/// "moves"}]}: `at` numbers the sessions of the two columns of seconds, and a move says at which of these the
/// new level begins, and its ratio to the old one. Machine and software are numbers of classes, from 0.
Json history_data(std::span<const compare::History::Series> all);

/// The same of a file, which is only read. Throws BadInput where it is not a history.
Json history_data(const std::filesystem::path& file);

}  // namespace harness::pages
