#include "harness/run/summary.hpp"

#include "harness/run/verdict_text.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

namespace harness::run {
namespace {

/// "Each row rests on 14 rounds", or on how many to how many.
std::string rounds_text(std::span<const results::Row> rows) {
  int least = 0;
  int most = 0;
  for (const auto& row : rows) {
    if (row.rounds == 0) continue;
    least = least == 0 ? row.rounds : std::min(least, row.rounds);
    most = std::max(most, row.rounds);
  }
  if (most == 0) return {};
  const auto count = least == most ? fmt::format("{} {}", most, most == 1 ? "round" : "rounds")
                                   : fmt::format("{} to {} rounds", least, most);
  return fmt::format(
      "Each row rests on {}, each a fresh process: in a round a row is timed in quads ABBA or BAAB, "
      "every second one with the buffer sets swapped. The change is the median's, with its interval; "
      "LEAST is the smallest change that this run could have shown.",
      count);
}

/// Which verdicts do not stand where all rows are judged together; that they do, where they do.
std::string together_text(std::span<const results::Row> rows) {
  int verdicts = 0;
  std::vector<std::string> alone;
  for (const auto& row : rows) {
    const auto verdict = row.judged.verdict;
    if (row.rounds == 0 ||
        (verdict != Verdict::helps && verdict != Verdict::hurts && verdict != Verdict::no_effect))
      continue;
    ++verdicts;
    if (!row.confirmed) alone.push_back(row.name);
  }
  if (verdicts < 2) return {};
  if (alone.empty())
    return fmt::format(
        "All {} verdicts stand together: of each kind at most 5 % are wrong on average (Benjamini-Hochberg).",
        verdicts);
  return fmt::format("Where all are judged together (Benjamini-Hochberg, 5 %) these do not stand: {}.",
                     fmt::join(alone, ", "));
}

/// Without its last line break, which stands behind the colour.
std::string unbroken(std::string text) {
  text.pop_back();
  return text;
}

}  // namespace

std::string summary(std::span<const results::Row> rows, const Style& style) {
  constexpr std::array verdicts{Verdict::helps,   Verdict::no_effect, Verdict::hurts,  Verdict::inconclusive,
                                Verdict::invalid, Verdict::failed,    Verdict::skipped};
  std::vector<std::string> counts;
  for (const auto verdict : verdicts)
    for (const auto words : {verdict_text(verdict), timer_text(verdict)}) {
      const auto n = std::ranges::count_if(rows, [&](const results::Row& row) {
        return row.judged.verdict == verdict && verdict_text(row) == words;
      });
      if (n == 0) continue;
      counts.push_back(fmt::format("{} {}", n, inked(words, verdict_ink(verdict), style)));
      if (verdict_text(verdict) == timer_text(verdict)) break;
    }
  auto out =
      fmt::format("\n{} {}: {}\n", rows.size(), rows.size() == 1 ? "row" : "rows", fmt::join(counts, ", "));
  std::vector<std::string> otherwise;
  for (const auto& row : rows)
    if (otherwise_than_published(row)) otherwise.push_back(row.name);
  if (!otherwise.empty())
    out += indented("", fmt::format("! otherwise than published: {}", fmt::join(otherwise, ", ")), 0, style);
  if (const auto rounds = rounds_text(rows); !rounds.empty()) {
    out += inked(unbroken(indented("", rounds, 0, style)), Ink::dim, style) + "\n";
  }
  if (const auto together = together_text(rows); !together.empty())
    out += inked(unbroken(indented("", together, 0, style)), Ink::dim, style) + "\n";
  return out;
}

}  // namespace harness::run
