#include "harness/compare/comparison_text.hpp"

#include "harness/run/verdict_text.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace harness::compare {
namespace {

constexpr std::size_t name_width = 42;
constexpr int note_column = 4;

Ink ink_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::helps:
      return Ink::green;
    case Verdict::hurts:
      return Ink::red;
    case Verdict::no_effect:
      return Ink::plain;
    default:
      return Ink::yellow;
  }
}

std::string change_cell(const std::optional<Change>& change) {
  return change ? change_text(change->ratio, change->ratio_interval) : std::string();
}

/// What the verdict leaves out: the control and the ratio of the two forms.
std::string details(const ComparedRow& row) {
  if (!row.naive || !row.speed_up || row.verdict == Verdict::no_effect) return {};
  return fmt::format("naive form {}; optimized against naive {}", change_cell(row.naive),
                     change_cell(row.speed_up));
}

std::string row_text(const ComparedRow& row, const Style& style) {
  auto out = fmt::format("  {}", row.name);
  if (row.name.size() > name_width)
    out += "\n" + std::string(2 + name_width, ' ');
  else
    out.append(name_width - row.name.size(), ' ');
  const auto base = row.base_seconds > 0 ? time_text(row.base_seconds) : "";
  const auto now = row.seconds > 0 ? time_text(row.seconds) : "";
  out += fmt::format(" {:>8} {:>8}  {:<24} {}\n", base, now, change_cell(row.optimized),
                     inked(std::string(change_word(row.verdict)), ink_of(row.verdict), style));
  std::string below;
  for (const auto& text : {row.note, vanished_text(row.vanished)})
    if (!text.empty()) below += indented("    ", text, note_column, style);
  if (const auto more = details(row); !more.empty()) below += indented("    ", more, note_column, style);
  if (!below.empty()) out += inked(below.substr(0, below.size() - 1), Ink::dim, style) + "\n";
  for (const auto& increase : row.increases)
    out += inked(indented("    ", fmt::format("MORE: {}", increase_text(increase)), note_column, style),
                 Ink::red, style);
  return out;
}

std::string counts_text(const Comparison& comparison) {
  constexpr std::array order{Verdict::helps,   Verdict::no_effect, Verdict::hurts,  Verdict::inconclusive,
                             Verdict::invalid, Verdict::failed,    Verdict::skipped};
  std::vector<std::string> parts;
  for (const auto verdict : order)
    if (const auto n = std::ranges::count(comparison.rows, verdict, &ComparedRow::verdict); n > 0)
      parts.push_back(fmt::format("{} {}", n, change_word(verdict)));
  const auto more =
      std::ranges::count_if(comparison.rows, [](const auto& row) { return !row.increases.empty(); });
  if (more > 0) parts.push_back(fmt::format("{} with higher counts", more));
  if (!comparison.missing.empty()) parts.push_back(fmt::format("{} missing", comparison.missing.size()));
  if (!comparison.added.empty()) parts.push_back(fmt::format("{} new", comparison.added.size()));
  return fmt::format("{} rows: {}", comparison.rows.size(), fmt::join(parts, ", "));
}

std::string differences_text(const Comparison& comparison, const Style& style) {
  std::string out;
  for (const auto& [field, base, current] : comparison.differences)
    out += indented("  ", fmt::format("{}: {} -> {}", field, base, current), note_column, style);
  return out;
}

}  // namespace

std::string name_list(std::string_view title, const std::vector<std::string>& names, const Style& style) {
  if (names.empty()) return {};
  auto out = fmt::format("\n{}\n", inked(std::string(title), Ink::bold, style));
  for (const auto& name : names) out += fmt::format("  {}\n", name);
  return out;
}

std::string_view change_word(Verdict verdict) {
  switch (verdict) {
    case Verdict::helps:
      return "faster";
    case Verdict::hurts:
      return "slower";
    case Verdict::no_effect:
      return "same";
    default:
      return run::verdict_text(verdict);
  }
}

std::string increase_text(const CountIncrease& increase) {
  const auto value = [&](double count) {
    return fmt::format("{:.0f}{}", count, increase.unit == "B" ? " B" : "");
  };
  return fmt::format("{} ({}): {} -> {}", increase.figure, increase.form, value(increase.base),
                     value(increase.current));
}

std::string vanished_text(const std::vector<std::string>& names) {
  return names.empty() ? std::string() : fmt::format("no longer counted: {}", fmt::join(names, ", "));
}

std::string comparison_text(const Comparison& comparison, const Style& style) {
  auto out = inked(fmt::format("  {:<{}} {:>8} {:>8}  {:<24} {}", "OPTIMIZED FORM OF", name_width, "BASE",
                               "NEW", "CHANGE [INTERVAL]", "VERDICT"),
                   Ink::bold, style) +
             "\n";
  for (const auto& row : comparison.rows)
    if (row.verdict != Verdict::skipped) out += row_text(row, style);  // in both: the summary counts them
  out += name_list("Missing in NEW", comparison.missing, style);
  out += name_list("New in NEW", comparison.added, style);
  if (!comparison.differences.empty())
    out += fmt::format("\n{}\n{}", inked("Compared despite different", Ink::bold, style),
                       differences_text(comparison, style));
  if (!comparison.warnings.empty()) out += "\n";
  for (const auto& warning : comparison.warnings) out += indented("note:", warning, 6, style);
  out += fmt::format("\n{}\n", counts_text(comparison));
  return out + "The two runs lie apart in time, so this only advises. Only counts that rose make it fail.\n";
}

std::string refusal_text(const Comparison& comparison, const Style& style) {
  auto out = fmt::format("tuneproof: cannot compare {} and {}; they differ in\n", comparison.base,
                         comparison.current);
  out += differences_text(comparison, style);
  out += name_list("Missing in NEW", comparison.missing, style);
  out += name_list("New in NEW", comparison.added, style);
  return out +
         "Use --across driver|libtorch|cuda to compare across one such difference, or --allow-mismatch to "
         "see the rows without a verdict.\n";
}

}  // namespace harness::compare
