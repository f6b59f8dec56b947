#include "harness/run/table_row.hpp"

#include "harness/core/judged_figure.hpp"
#include "harness/core/same_answer.hpp"
#include "harness/run/evidence_text.hpp"
#include "harness/run/row_name.hpp"
#include "harness/run/verdict_text.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace harness::run {
namespace {

// "  step/point                  naive  change [interval]      verdict       published"
constexpr int fixed_columns = 69;  // all but the name
constexpr int narrowest_name = 15;
constexpr std::size_t published_columns = 20;
constexpr int detail_indent = 6;

/// Too narrow for one line a row: the name then stands on a line of its own.
bool narrow(const Style& style) { return style.columns < fixed_columns + narrowest_name; }

int name_columns(const Style& style) { return narrow(style) ? 2 : style.columns - fixed_columns; }

std::string_view kind_of(const Device& device) { return device.is_cuda() ? "cuda" : "cpu"; }

/// With the kind of device, where the name has it and it is shown.
std::string name_on_device(const results::Row& row, const results::Row* above, const TableLayout& layout) {
  std::string_view name = row.name;
  const auto device = fmt::format("/device:{}", kind_of(row.device));
  const bool names_it = name.ends_with(device);
  if (names_it) name.remove_suffix(device.size());
  const auto end = names_it && layout.devices ? fmt::format("/{}", kind_of(row.device)) : "";
  return short_name(name, row.step, above != nullptr ? above->step : "") + end;
}

/// Its first `width` columns.
std::string beginning(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 2) + "..";
}

bool timed(const results::Row& row) { return row.naive_seconds > 0 && row.optimized_seconds > 0; }

bool surprises(const results::Row& row) {
  return otherwise_than_published(row) || mistake_hidden(row.measured.figures);
}

/// The outcome's sign and the figure; without a figure the outcome in words.
std::string published_text(const results::Row& row) {
  const auto outcome = std::string(expected_text(row));
  return fmt::format("{} {}", sign_of(row.expected), row.published == "no figure" ? outcome : row.published);
}

std::string cells(const results::Row& row, const Style& style) {
  const auto change = change_text(row.judged.ratio, row.judged.ratio_interval);
  const auto percent = change.find(' ');  // the signs stand below each other
  const auto aligned = fmt::format("{:>{}}", change, change.size() + (percent < 5 ? 5 - percent : 0));
  const auto verdict = fmt::format("{} {:11}", sign_of(row.judged.verdict), told_text(row));
  const auto evidence = evidence_cell(row);
  const auto published = evidence.empty() ? fmt::format("{} {}", surprises(row) ? '!' : ' ',
                                                        beginning(published_text(row), published_columns))
                                          : evidence;
  return fmt::format("{:>8}  {:22} {} {}", judged_text(row, row.naive_seconds), aligned,
                     inked(verdict, verdict_ink(row.judged.verdict), style),
                     inked(published, surprises(row) ? Ink::yellow : Ink::dim, style));
}

/// What stands below a row: why it is as it is.
std::string note(const results::Row& row) {
  std::vector<std::string> parts;
  if (!row.reason.empty()) parts.push_back(row.reason);
  if (mistake_hidden(row.measured.figures)) parts.emplace_back("! the naive form was never wrong here");
  parts.insert(parts.end(), row.judged.flags.begin(), row.judged.flags.end());
  return fmt::format("{}", fmt::join(parts, "; "));
}

/// The name, padded to its column or on a line of its own.
std::string name_cell(const std::string& name, const Style& style) {
  if (narrow(style))
    return fmt::format("  {}\n  ", without_middle(name, static_cast<std::size_t>(style.columns) - 2));
  const auto width = static_cast<std::size_t>(name_columns(style)) - 3;
  return fmt::format("  {:{}} ", without_middle(name, width), width);
}

/// Why there are no times, in as many lines as it takes.
std::string untimed_cells(const results::Row& row, const Style& style) {
  constexpr int indent = 8;  // as far as the naive time goes
  const auto text =
      fmt::format("{} {}: {}", sign_of(row.judged.verdict), verdict_text(row.judged.verdict), note(row));
  const auto column = name_columns(style) + indent;
  const auto lines = wrap(text, style.columns - column);
  return inked(fmt::format("{:{}}{}", "", indent, fmt::join(lines, fmt::format("\n{:{}}", "", column))),
               verdict_ink(row.judged.verdict), style);
}

/// Below a row: what its line leaves out.
std::string details_of(const results::Row& row, const Style& style) {
  std::vector<std::string> parts = {
      row.name, "published: " + row.published + ", expected: " + std::string(expected_text(row))};
  if (timed(row)) {
    parts.push_back(fmt::format("{} -> {}; {} {}{}", judged_text(row, row.naive_seconds),
                                judged_text(row, results::shown_optimized(row)), row.rounds,
                                row.rounds == 1 ? "round" : "rounds",
                                row.judged.early ? "; interval: their range, widened" : ""));
    if (row.judged.ratio_interval)
      parts.back() += "; could have shown a change of " + effect_text(row.judged.smallest_effect);
  }
  parts.push_back(note(row));
  if (row.judged.verdict == Verdict::inconclusive)
    if (const auto evidence = evidence_text(row); !evidence.empty())
      parts.push_back("cannot tell by time; " + evidence);
  parts.push_back(figures_text(row));
  std::string out;
  for (const auto& text : parts) {
    if (text.empty()) continue;
    const auto below = indented("", text, detail_indent, style);
    out += inked(below.substr(0, below.size() - 1), Ink::dim, style) + "\n";
  }
  return out;
}

}  // namespace

std::string table_heading(const Style& style) {
  const auto name = narrow(style) ? "  " : fmt::format("{:{}}", "STEP, POINT", name_columns(style));
  return inked(fmt::format("{}{:>8}  {:22} {:13}   {}", name, "NAIVE", "CHANGE [INTERVAL]", "VERDICT",
                           "PUBLISHED"),
               Ink::bold, style) +
         "\n";
}

std::string table_row(const results::Row& row, const results::Row* above, const TableLayout& layout) {
  const auto& style = layout.style;
  const auto subject = subject_of(row.step);
  std::string out;
  if (above == nullptr || subject_of(above->step) != subject)
    out = inked(std::string(subject), Ink::bold, style) + "\n";
  out += name_cell(name_on_device(row, above, layout), style);
  out += (timed(row) ? cells(row, style) : untimed_cells(row, style)) + "\n";
  return layout.details ? out + details_of(row, style) : out;
}

}  // namespace harness::run
