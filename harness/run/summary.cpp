#include "harness/run/summary.hpp"

#include "harness/core/judged_figure.hpp"
#include "harness/run/evidence_text.hpp"
#include "harness/run/verdict_text.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
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

/// Rows of that verdict, the largest change first.
std::vector<const results::Row*> by_change(std::span<const results::Row> rows, Verdict verdict) {
  std::vector<const results::Row*> some;
  for (const auto& row : rows)
    if (row.judged.verdict == verdict && !compares_timers(row.measured.figures)) some.push_back(&row);
  std::ranges::stable_sort(some, std::greater{},
                           [](const results::Row* row) { return std::abs(std::log(row->judged.ratio)); });
  return some;
}

/// "sync/a (-48.3 %), sync/b (-30.0 %), and 4 more".
std::string named(const std::vector<const results::Row*>& rows) {
  constexpr std::size_t most = 3;
  std::vector<std::string> names;
  for (const auto* row : rows | std::views::take(most))
    names.push_back(fmt::format("{} ({} %)", row->name, percent_text(row->judged.ratio)));
  if (rows.size() > most) names.push_back(fmt::format("and {} more", rows.size() - most));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Why rows could not be judged and what to do about it.
std::string undecided_text(std::span<const results::Row> rows, const std::string& what_to_do) {
  std::map<std::string, int> reasons;
  bool too_few = false;
  int count = 0;
  for (const auto& row : rows) {
    if (row.judged.verdict != Verdict::inconclusive || told_otherwise(row)) continue;
    ++count;
    for (const auto& flag : row.judged.flags) ++reasons[flag];
    too_few = too_few || row.judged.too_few;
  }
  if (count == 0) return {};
  std::vector<std::string> parts;
  for (const auto& [reason, times] : reasons)
    parts.push_back(times == count ? reason : fmt::format("{}: {}", reason, times));
  std::string advice = too_few ? "Raise --budget or select fewer rows."
                               : "Run `tuneproof doctor` to see what disturbs this machine, or measure "
                                 "these rows again with --looks 3.";
  if (!too_few && !what_to_do.empty()) advice = what_to_do;
  const auto why = parts.empty() ? "" : fmt::format(" ({})", fmt::join(parts, ", "));
  return fmt::format("Cannot tell: {} {}{}. {}", count, count == 1 ? "row" : "rows", why, advice);
}

/// What is certain of rows that their times do not decide.
std::string told_otherwise_text(std::span<const results::Row> rows) {
  constexpr std::size_t most = 3;
  std::vector<std::string> told;
  for (const auto& row : rows)
    if (told_otherwise(row)) told.push_back(fmt::format("{} ({})", row.name, evidence_text(row)));
  const auto all = told.size();
  if (all == 0) return {};
  if (all > most) {
    told.resize(most);
    told.push_back(fmt::format("and {} more (--details)", all - most));
  }
  return fmt::format("Decided by counts or CPU time, which other work does not disturb: {}.",
                     fmt::join(told, ", "));
}

/// What helped most, what hurts, and which rows cannot tell.
std::vector<std::string> closing_lines(std::span<const results::Row> rows, const std::string& what_to_do) {
  std::vector<std::string> lines;
  if (const auto some = by_change(rows, Verdict::helps); !some.empty())
    lines.push_back("Helped most: " + named(some));
  if (const auto some = by_change(rows, Verdict::hurts); !some.empty())
    lines.push_back("Hurts: " + named(some));
  if (auto text = told_otherwise_text(rows); !text.empty()) lines.push_back(std::move(text));
  if (auto text = undecided_text(rows, what_to_do); !text.empty()) lines.push_back(std::move(text));
  return lines;
}

/// What the words of a row mean that compares two timers; empty where no row does.
std::string timers_text(std::span<const results::Row> rows) {
  const bool any =
      std::ranges::any_of(rows, [](const auto& row) { return compares_timers(row.measured.figures); });
  if (!any) return {};
  return "too much, too little, agrees: two timers measure the same work, wrong -> right; VERDICT judges the "
         "wrong one.";
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
  for (const auto& text : {timers_text(rows), rounds_text(rows), together_text(rows)})
    if (!text.empty()) out += inked(unbroken(indented("", text, 0, style)), Ink::dim, style) + "\n";
  return out;
}

}  // namespace harness::run
