#include "harness/run/summary.hpp"

#include "harness/core/judged_figure.hpp"
#include "harness/run/closing_lines.hpp"
#include "harness/run/evidence_text.hpp"
#include "harness/run/verdict_text.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
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
  return fmt::format("Each row rests on {}, each a fresh process. --details adds reasons and counters.",
                     count);
}

/// How the intervals of rows are made that an early look decided; empty without any.
std::string early_text(std::span<const results::Row> rows) {
  const auto early = std::ranges::count_if(rows, [](const results::Row& row) {
    return row.judged.early && row.judged.verdict != Verdict::inconclusive;
  });
  if (early == 0) return {};
  return fmt::format(
      "{} {} plain after 3 to 6 rounds: {} interval is the range of these rounds, widened. --looks 1 takes "
      "14 "
      "of each row.",
      early, early == 1 ? "row was" : "rows were", early == 1 ? "its" : "their");
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
  return fmt::format(
      "If all rows are judged together (Benjamini-Hochberg, 5 %), these verdicts do not stand: {}.",
      fmt::join(alone, ", "));
}

/// What the words of a row mean that compares two timers; empty where no row does.
std::string timers_text(std::span<const results::Row> rows) {
  const bool any =
      std::ranges::any_of(rows, [](const auto& row) { return compares_timers(row.measured.figures); });
  if (!any) return {};
  return "too much, too little, agrees: such a row compares a wrong timer with a right one; VERDICT says "
         "what the wrong one reads.";
}

/// The words that rows with the verdict have, those of the verdict first.
std::vector<std::string_view> words_of(Verdict verdict, std::span<const results::Row> rows) {
  std::vector<std::string_view> words{verdict_text(verdict), timer_text(verdict)};
  for (const auto& row : rows)
    if (row.judged.verdict == verdict && std::ranges::find(words, told_text(row)) == words.end())
      words.push_back(told_text(row));
  const auto none_has = [&](std::string_view word) {
    return std::ranges::none_of(rows, [&](const results::Row& row) {
      return row.judged.verdict == verdict && told_text(row) == word;
    });
  };
  std::erase_if(words, none_has);
  const auto same = std::ranges::adjacent_find(words);
  if (same != words.end()) words.erase(same);
  return words;
}

/// Without its last line break, which stands behind the colour.
std::string unbroken(std::string text) {
  text.pop_back();
  return text;
}

}  // namespace

std::string summary(std::span<const results::Row> rows, const Style& style, const std::string& what_to_do) {
  constexpr std::array verdicts{Verdict::helps,   Verdict::no_effect, Verdict::hurts,  Verdict::inconclusive,
                                Verdict::invalid, Verdict::failed,    Verdict::skipped};
  std::vector<std::string> counts;
  for (const auto verdict : verdicts)
    for (const auto words : words_of(verdict, rows)) {
      const auto n = std::ranges::count_if(rows, [&](const results::Row& row) {
        return row.judged.verdict == verdict && told_text(row) == words;
      });
      counts.push_back(fmt::format("{} {}", n, inked(words, verdict_ink(verdict), style)));
    }
  auto out =
      fmt::format("\n{} {}: {}\n", rows.size(), rows.size() == 1 ? "row" : "rows", fmt::join(counts, ", "));
  for (const auto& line : closing_lines(rows, what_to_do)) out += indented("", line, 0, style);
  if (const auto n = std::ranges::count_if(rows, otherwise_than_published); n > 0)
    out += indented("",
                    n == 1 ? "1 verdict contradicts its source (marked !)."
                           : fmt::format("{} verdicts contradict their sources (marked !).", n),
                    0, style);
  for (const auto& text : {timers_text(rows), rounds_text(rows), early_text(rows), together_text(rows)})
    if (!text.empty()) out += inked(unbroken(indented("", text, 0, style)), Ink::dim, style) + "\n";
  return out;
}

}  // namespace harness::run
