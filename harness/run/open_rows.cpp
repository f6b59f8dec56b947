#include "harness/run/open_rows.hpp"

#include "harness/core/allot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace harness::run {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

int rounds_of(const results::Row& row) { return static_cast<int>(row.measured.log_ratios.size()); }

Rule rule_of(const results::Session& session) {
  return {.looks = session.looks, .alpha = session.alpha, .early = session.early};
}

bool at_look(const results::Row& row, const results::Session& session) {
  return std::ranges::find(session.looks, rounds_of(row)) != session.looks.end() ||
         std::ranges::find(session.early, rounds_of(row)) != session.early.end();
}

/// Seconds of a round of the row; its rehearsal counts as one.
double round_seconds(const results::Row& row) { return row.row_seconds / (1 + rounds_of(row)); }

OpenRow open_row(const results::Row& row) { return {row.measured.log_ratios, row.delta, round_seconds(row)}; }

std::vector<OpenRow> open_rows_of(const results::Results& results, const Indices& places) {
  std::vector<OpenRow> rows;
  for (const auto i : places) rows.push_back(open_row(results.rows[i]));
  return rows;
}

/// A round up to the first look, which all rows take: the whole of it, and what it costs beside its rows.
struct FullRound {
  double seconds = 0;
  double start = 0;
};

FullRound full_round(const results::Results& results) {
  const auto first = std::min(results.rounds.size(), static_cast<std::size_t>(first_look(results.session)));
  if (first == 0) return {};
  double seconds = 0;
  for (std::size_t i = 0; i < first; ++i) seconds += results.rounds[i].seconds / static_cast<double>(first);
  double rows = 0;
  for (const auto& row : results.rows)
    if (rounds_of(row) > 0) rows += round_seconds(row);
  return {seconds, std::max(0.0, seconds - rows)};
}

/// Of the time that `allotted_rounds` rounds of every row would have taken, or of the least that a session
/// may take, since a few quick rows that stay undecided save nobody time.
double allotment_left(const results::Results& results) {
  const bool quick = results.session.suite == "quick";
  const auto rounds = quick ? quick_rounds : allotted_rounds;
  double used = quick && !results.rounds.empty() ? results.rounds.front().start : 0;
  for (const auto& round : results.rounds) used += round.seconds;
  return std::max(least_allotment, rounds * full_round(results).seconds) - used;
}

}  // namespace

bool is_open(const results::Row& row, const results::Session& session) {
  return row.judged.verdict == Verdict::inconclusive && rounds_of(row) < session.looks.back();
}

Indices open_rows(const results::Results& results) {
  Indices open;
  for (std::size_t i = 0; i < results.rows.size(); ++i)
    if (is_open(results.rows[i], results.session)) open.push_back(i);
  return open;
}

Indices next_rows(const results::Results& results, std::optional<double> left, bool patient) {
  const auto open = open_rows(results);
  if (!results.session.allotted) return open;
  auto between = open;  // looks: no row stops there
  std::erase_if(between, [&](std::size_t i) { return at_look(results.rows[i], results.session); });
  if (!between.empty()) return between;
  const auto rows = open_rows_of(results, open);
  const auto seconds = left ? *left : allotment_left(results);
  Indices chosen;
  const double least = patient ? 0 : least_chance;
  for (const auto at : allot(rows, rule_of(results.session), seconds, full_round(results).start, least))
    chosen.push_back(open[at]);
  return chosen;
}

std::string why_no_more(const results::Row& row, const results::Session& session) {
  if (outlook(open_row(row), rule_of(session), unlimited).look == 0)
    return "more rounds would hardly tell: it scatters too much, or lies at the edge of the margin";
  return "the time went to rows that were nearer to a verdict";
}

Prospect prospect(const results::Results& results) {
  const auto rule = rule_of(results.session);
  const auto start = full_round(results).start;
  double rows = 0, seconds = 0;
  int longest = 0;
  for (const auto i : open_rows(results)) {
    const auto row = open_row(results.rows[i]);
    const auto ahead = outlook(row, rule, unlimited);
    if (ahead.chance < 0.5) continue;  // promised is what will more likely be told than not
    rows += ahead.chance;
    seconds += ahead.seconds;
    longest = std::max(longest, ahead.look - static_cast<int>(row.log_ratios.size()));
  }
  if (rows < 0.5) return {};
  return {seconds + start * longest, static_cast<int>(std::lround(rows))};
}

}  // namespace harness::run
