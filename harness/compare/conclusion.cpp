#include "harness/compare/ci.hpp"
#include "harness/support/exit_codes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace harness::compare {
namespace {

std::string rows_text(std::size_t rows) { return fmt::format("{} {}", rows, rows == 1 ? "row" : "rows"); }

/// What a report says, so far.
struct Tally {
  const CiReport& report;

  std::size_t count(Fate fate) const {
    return static_cast<std::size_t>(std::ranges::count(report.rows, fate, &CiCase::fate));
  }
  std::size_t compared() const { return report.rows.size() - count(Fate::skipped) - count(Fate::missing); }

  /// "2 rows slower, 1 row does more".
  std::vector<std::string> by_word(Fate fate) const {
    std::map<std::string, std::size_t> words;
    for (const auto& row : report.rows)
      if (row.fate == fate) ++words[row.verdict];
    std::vector<std::string> texts;
    for (const auto& [word, rows] : words) texts.push_back(fmt::format("{} {}", rows_text(rows), word));
    return texts;
  }
};

/// Why the comparison fails though no row got worse for certain; empty where it does not.
std::vector<std::string> open_questions(const Tally& tally) {
  const auto& demands = tally.report.demands;
  std::vector<std::string> reasons;
  const auto add = [&](std::vector<std::string> more) {
    std::ranges::move(more, std::back_inserter(reasons));
  };
  add(tally.by_word(Fate::unsettled));
  if (!demands.allow_missing) add(tally.by_word(Fate::missing));
  const auto undecided = tally.count(Fate::undecided);
  if (tally.compared() == 0)
    reasons.emplace_back("no row was compared");
  else if (undecided == tally.compared() && !demands.allow_undecided)
    reasons.push_back(fmt::format("none of {} could be decided", rows_text(tally.compared())));
  else if (demands.strict &&
           static_cast<double>(undecided) > most_undecided * static_cast<double>(tally.compared()))
    reasons.push_back(fmt::format("{} of {} undecided (--strict)", undecided, rows_text(tally.compared())));
  return reasons;
}

std::string passed_line(const Tally& tally) {
  std::vector<std::string> parts{rows_text(tally.compared()) + " compared"};
  for (const auto& [fate, text] :
       {std::pair{Fate::undecided, "undecided"}, {Fate::skipped, "skipped on both sides"}})
    if (const auto rows = tally.count(fate); rows > 0) parts.push_back(fmt::format("{} {}", rows, text));
  for (const auto& text : tally.by_word(Fate::missing)) parts.push_back(text + " (allowed)");
  for (const auto& text : tally.by_word(Fate::advice))
    parts.push_back(text + " (only advice: --strict fails)");
  return fmt::format("PASSED: {}", fmt::join(parts, ", "));
}

}  // namespace

Fate shown_fate(const CiCase& row, const Demands& demands) {
  switch (row.fate) {
    case Fate::undecided:
      return demands.strict ? Fate::error : Fate::skipped;
    case Fate::unsettled:
      return Fate::error;
    case Fate::missing:
      return demands.allow_missing ? Fate::skipped : Fate::failure;
    case Fate::advice:
      return Fate::failure;
    default:
      return row.fate;
  }
}

Conclusion conclusion_of(const CiReport& report) {
  const Tally tally{report};
  auto worse = tally.by_word(Fate::failure);
  if (report.demands.strict) std::ranges::move(tally.by_word(Fate::advice), std::back_inserter(worse));
  const auto errors = tally.by_word(Fate::error);
  const auto open = open_questions(tally);
  if (worse.empty() && errors.empty() && open.empty()) return {0, passed_line(tally)};
  const auto code = !worse.empty() ? regression_exit : !errors.empty() ? 1 : strict_exit;
  const auto* const word =
      code == strict_exit && (tally.count(Fate::missing) == 0 || report.demands.allow_missing) ? "NOT DECIDED"
                                                                                               : "FAILED";
  auto reasons = worse;
  for (const auto* more : {&errors, &open}) std::ranges::copy(*more, std::back_inserter(reasons));
  return {code, fmt::format("{}: {}", word, fmt::join(reasons, ", "))};
}

}  // namespace harness::compare
