#include "harness/compare/comparison_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace harness::compare {
namespace {

bool got_worse(const ComparedFigure& figure) { return figure.worse; }

Fate fate_of_row(const ComparedRow& row) {
  if (!row.increases.empty()) return Fate::failure;
  if (row.lost) return Fate::missing;
  if (row.verdict == Verdict::hurts || std::ranges::any_of(row.figures, got_worse)) return Fate::advice;
  if (row.verdict == Verdict::inconclusive && row.instructions) return Fate::pass;
  return fate_of(row.verdict);
}

std::string message_of(const ComparedRow& row) {
  std::vector<std::string> parts;
  for (const auto& increase : row.increases) parts.push_back(increase_text(increase));
  for (const auto& figure : row.figures) parts.push_back(figure_text(figure));
  for (const auto& text : {row.note, vanished_text(row.vanished)})
    if (!text.empty()) parts.push_back(text);
  if (fate_of_row(row) == Fate::advice) parts.emplace_back("advice: the two runs lie apart in time");
  return fmt::format("{}", fmt::join(parts, "; "));
}

CiCase ci_row(const ComparedRow& row) {
  CiCase out{.group = row.step,
             .name = row.name,
             .fate = fate_of_row(row),
             .verdict = compared_word(row),
             .message = message_of(row),
             .seconds = row.row_seconds};
  if (row.optimized) add_change(out, row.optimized->ratio, row.optimized->ratio_interval, row.delta);
  return out;
}

}  // namespace

CiReport comparison_report(const Comparison& comparison, const Demands& demands) {
  CiReport report{.title = fmt::format("tuneproof compare {} {}", comparison.base, comparison.current),
                  .demands = demands};
  report.demands.allow_undecided |= !comparison.differences.empty();  // else it was refused
  for (const auto& row : comparison.rows) report.rows.push_back(ci_row(row));
  for (const auto& name : comparison.missing) report.rows.push_back(missing_row(name));
  for (const auto& name : comparison.added) report.notes.push_back("new: " + name);
  for (const auto& [field, base, current] : comparison.differences)
    report.notes.push_back(fmt::format("{} differs: {} -> {}", field, base, current));
  for (const auto& warning : comparison.warnings) report.notes.push_back(warning);
  return report;
}

}  // namespace harness::compare
