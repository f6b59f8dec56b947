#include "harness/report/summary.hpp"

#include "harness/report/text.hpp"
#include "harness/report/verdict_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

namespace harness {
namespace {

/// "Each row rests on 14 rounds", or on how many to how many.
std::string rounds_text(std::span<const Row> rows) {
  int least = 0;
  int most = 0;
  for (const auto& row : rows) {
    if (row.rounds == 0) continue;
    least = least == 0 ? row.rounds : std::min(least, row.rounds);
    most = std::max(most, row.rounds);
  }
  if (most == 0) return {};
  const auto count = least == most ? fmt::format("{}", most) : fmt::format("{} to {}", least, most);
  return fmt::format(
      "Each row rests on {} rounds, each a fresh process: in a round a row is timed in quads ABBA or BAAB, "
      "every second one with the buffer sets swapped. The change is the median's, with its interval.",
      count);
}

}  // namespace

std::string summary(std::span<const Row> rows, const Style& style) {
  constexpr std::array verdicts{Verdict::helps,   Verdict::no_effect, Verdict::hurts,  Verdict::inconclusive,
                                Verdict::invalid, Verdict::failed,    Verdict::skipped};
  std::vector<std::string> counts;
  for (const auto verdict : verdicts) {
    const auto n = std::ranges::count_if(rows, [&](const Row& row) { return row.judged.verdict == verdict; });
    if (n > 0)
      counts.push_back(fmt::format("{} {}", n, inked(verdict_text(verdict), verdict_ink(verdict), style)));
  }
  auto out =
      fmt::format("\n{} {}: {}\n", rows.size(), rows.size() == 1 ? "row" : "rows", fmt::join(counts, ", "));
  std::vector<std::string> otherwise;
  for (const auto& row : rows)
    if (otherwise_than_published(row)) otherwise.push_back(row.name);
  if (!otherwise.empty())
    out += indented("", fmt::format("! otherwise than published: {}", fmt::join(otherwise, ", ")), 0, style);
  if (const auto rounds = rounds_text(rows); !rounds.empty()) {
    const auto text = indented("", rounds, 0, style);
    out += inked(text.substr(0, text.size() - 1), Ink::dim, style) + "\n";
  }
  return out;
}

}  // namespace harness
