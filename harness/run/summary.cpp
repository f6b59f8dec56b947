#include "harness/run/summary.hpp"

#include "harness/run/closing_lines.hpp"
#include "harness/run/evidence_text.hpp"
#include "harness/run/row_view.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
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
      "From FROM to TO: CHANGE is the median of the rounds' ratios, and TO the time of FROM times it. Each "
      "row rests on {}, each a fresh process. --details adds TO, reasons and counters.",
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
    if (row.rounds == 0 || !is_decided(row.judged.verdict)) continue;
    ++verdicts;
    if (!row.confirmed) alone.push_back(row.name);
  }
  if (verdicts < 2) return {};
  if (alone.empty())
    return fmt::format("Judged together, all {} verdicts hold (false discovery rate 5 %).", verdicts);
  return fmt::format("Judged together (false discovery rate 5 %), these verdicts do not hold: {}.",
                     fmt::join(alone, ", "));
}

/// What the words of rows mean that are not judged by a time; empty where there is none.
std::string other_words_text(std::span<const results::Row> rows) {
  std::string text;
  if (std::ranges::any_of(rows, [](const auto& row) { return decided_by(row) == "timers"; }))
    text =
        "too much, too little, agrees: such a row compares a wrong timer with a right one; VERDICT says "
        "what the wrong one reads. ";
  if (std::ranges::any_of(
          rows, [](const auto& row) { return decided_by(row) == "figure" || decided_by(row) == "scatter"; }))
    text += "less, more: such a row is judged by memory, a count or scatter, not by time. ";
  return text;
}

/// Without its last line break, which stands behind the colour.
std::string unbroken(std::string text) {
  text.pop_back();
  return text;
}

}  // namespace

std::string summary(std::span<const results::Row> rows, const Style& style, const std::string& what_to_do) {
  auto out = fmt::format("\n{}\n", verdict_counts(rows, style));
  for (const auto& line : closing_lines(rows, what_to_do)) out += indented("", line, 0, style);
  for (const auto& text : {other_words_text(rows), rounds_text(rows), early_text(rows), together_text(rows)})
    if (!text.empty()) out += inked(unbroken(indented("", text, 0, style)), Ink::dim, style) + "\n";
  return out;
}

}  // namespace harness::run
