#include "harness/compare/comparison_text.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace harness::compare {
namespace {

Fate fate_of_row(const ComparedRow& row) {
  if (!row.increases.empty()) return Fate::failure;
  return row.failed ? Fate::error : fate_of(row.verdict);
}

std::string message_of(const ComparedRow& row) {
  std::vector<std::string> parts;
  for (const auto& increase : row.increases) parts.push_back(increase_text(increase));
  for (const auto& text : {row.note, vanished_text(row.vanished)})
    if (!text.empty()) parts.push_back(text);
  if (row.verdict == Verdict::hurts)
    parts.emplace_back("advice only: two runs at different times cannot decide");
  return fmt::format("{}", fmt::join(parts, "; "));
}

CiCase ci_row(const ComparedRow& row) {
  CiCase out{.group = row.step,
             .name = row.name,
             .fate = fate_of_row(row),
             .verdict = std::string(change_word(row.verdict)),
             .message = message_of(row)};
  if (!row.optimized) return out;
  out.change = change_text(row.optimized->ratio, row.optimized->ratio_interval);
  const auto number = [](double value) { return fmt::format("{:.6g}", value); };
  out.properties.emplace_back("rho", number(row.optimized->ratio));
  if (const auto& interval = row.optimized->ratio_interval) {
    out.properties.emplace_back("L", number(interval->low));
    out.properties.emplace_back("U", number(interval->high));
  }
  out.properties.emplace_back("delta", number(row.delta));
  return out;
}

}  // namespace

CiReport comparison_report(const Comparison& comparison, bool strict) {
  CiReport report{.title = fmt::format("tuneproof compare {} {}", comparison.base, comparison.current)};
  for (const auto& row : comparison.rows) report.rows.push_back(ci_row(row));
  for (const auto& name : comparison.missing) report.rows.push_back(missing_row(name, strict));
  for (const auto& name : comparison.added) report.notes.push_back("new: " + name);
  for (const auto& [field, base, current] : comparison.differences)
    report.notes.push_back(fmt::format("{} differs: {} -> {}", field, base, current));
  for (const auto& warning : comparison.warnings) report.notes.push_back(warning);
  return report;
}

}  // namespace harness::compare
