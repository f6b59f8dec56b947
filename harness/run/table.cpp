#include "harness/run/table.hpp"

#include "harness/core/same_answer.hpp"
#include "harness/core/timer_reading.hpp"
#include "harness/results/prediction.hpp"
#include "harness/run/predictions.hpp"
#include "harness/run/verdict_text.hpp"
#include "harness/support/number.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace harness::run {
namespace {

// "  point                  naive   optim.  change [interval]      least verdict       expected   R"
constexpr int fixed_columns = 76;  // all but the point
constexpr int narrowest_point = 16;
constexpr int narrow_indent = 4;

/// Too narrow for one line a row: the point then stands on a line of its own.
bool narrow(const Style& style) { return style.columns < fixed_columns + narrowest_point; }

/// How far the figures stand from the left.
int point_columns(const Style& style) {
  return narrow(style) ? narrow_indent : style.columns - fixed_columns;
}

/// What the row adds to its step's name; the device where that is all.
std::string point_text(const results::Row& row) {
  if (row.name.size() > row.step.size() + 1 && row.name.starts_with(row.step))
    return row.name.substr(row.step.size() + 1);
  return to_string(row.device);
}

/// The text in pieces of at most `width`, broken behind slashes where there are any.
std::vector<std::string> pieces(std::string_view text, int width) {
  const auto limit = static_cast<std::size_t>(width);
  std::vector<std::string> all;
  while (text.size() > limit) {
    const auto slash = text.substr(0, limit).rfind('/');
    const auto cut = slash == text.npos ? limit : slash + 1;
    all.emplace_back(text.substr(0, cut));
    text.remove_prefix(cut);
  }
  all.emplace_back(text);
  return all;
}

std::string step_heading(const results::Row& row, const Style& style) {
  const auto published = fmt::format("published: {}", row.published);
  auto text = indented("", published, 4, style);
  text.pop_back();
  return fmt::format("\n{}\n{}\n", inked(row.step, Ink::bold, style), inked(text, Ink::dim, style));
}

bool timed(const results::Row& row) { return row.naive_seconds > 0 && row.optimized_seconds > 0; }

std::string cells(const results::Row& row, const Style& style) {
  const bool otherwise = otherwise_than_published(row);
  const auto change = change_text(row.judged.ratio, row.judged.ratio_interval);
  const auto percent = change.find(' ');  // the signs stand below each other
  const auto verdict = fmt::format("{:11}", verdict_text(row));
  const auto published = fmt::format("{} {:9}", otherwise ? '!' : ' ', expected_text(row));
  const auto value = [&](double judged) { return judged_text(row, judged); };
  const auto least = row.judged.ratio_interval ? effect_text(row.judged.smallest_effect) : "-";
  return fmt::format("{:>8} {:>8}  {:22} {:>6} {} {} {:>3}", value(row.naive_seconds),
                     value(row.optimized_seconds),
                     fmt::format("{:>{}}", change, change.size() + (percent < 5 ? 5 - percent : 0)), least,
                     inked(verdict, verdict_ink(row.judged.verdict), style),
                     inked(published, otherwise ? Ink::yellow : Ink::plain, style), row.rounds);
}

/// What stands below a row: why it is as it is.
std::string note(const results::Row& row) {
  std::vector<std::string> parts;
  if (!row.reason.empty()) parts.push_back(row.reason);
  if (compares_timers(row.measured.figures))
    parts.emplace_back("two timers of the same work, wrong -> right; VERDICT is on the wrong one");
  if (mistake_hidden(row.measured.figures)) parts.emplace_back("! the naive form was never wrong here");
  parts.insert(parts.end(), row.judged.flags.begin(), row.judged.flags.end());
  return fmt::format("{}", fmt::join(parts, "; "));
}

/// What was predicted, below what was measured: the column of changes.
std::string predicted_line(const results::Row& row, const Style& style) {
  const auto change = predicted_change(row);
  if (change.empty()) return {};
  constexpr int before_change = 19;  // naive, optim.
  const auto check = results::check_prediction(row);
  const auto met = !check ? "" : check->meets ? "  the intervals meet" : "  the intervals miss each other";
  const auto text =
      fmt::format("{:>{}} {}{}", "predicted", point_columns(style) + before_change - 1, change, met);
  return inked(text, Ink::dim, style) + "\n";
}

/// The point on as many lines as it needs.
std::string point_lines(const results::Row& row, const Style& style) {
  return fmt::format("  {}", fmt::join(pieces(point_text(row), style.columns - 2), "\n  "));
}

std::string untimed_row(const results::Row& row, const Style& style) {
  const auto lead = point_lines(row, style);
  const auto said = fmt::format("{}: {}", verdict_text(row.judged.verdict), note(row));
  const auto beside = std::max(point_columns(style), static_cast<int>(lead.size()) + 2);
  const bool below = beside > style.columns / 2;
  const auto first = below ? lead + "\n" : lead;
  const auto text = indented(first, said, below ? 6 : beside, style);
  return first +
         inked(text.substr(first.size(), text.size() - first.size() - 1), verdict_ink(row.judged.verdict),
               style) +
         "\n";
}

std::string timed_row(const results::Row& row, const Style& style) {
  const auto column = point_columns(style);
  std::string out;
  if (narrow(style)) {
    out = fmt::format("{}\n{:{}}{}\n", point_lines(row, style), "", column, cells(row, style));
  } else {
    const auto lines = pieces(point_text(row), column - 3);
    out = fmt::format("  {:{}}{}\n", lines.front(), column - 2, cells(row, style));
    for (std::size_t i = 1; i < lines.size(); ++i) out += "  " + lines[i] + "\n";
  }
  out += predicted_line(row, style);
  for (const auto& text : {note(row), figures_text(row)}) {
    if (text.empty()) continue;
    const auto below = indented("", text, 6, style);
    out += inked(below.substr(0, below.size() - 1), Ink::dim, style) + "\n";
  }
  return out;
}

}  // namespace

std::string table_heading(const Style& style) {
  const auto above = narrow(style) ? "STEP, POINT\n" : "";
  const auto beside = narrow(style) ? "" : "STEP, POINT";
  const auto line =
      fmt::format("{}{:{}}{:>8} {:>8}  {:22} {:>6} {:11}   {:9} {:>3}", above, beside, point_columns(style),
                  "NAIVE", "OPTIM.", "CHANGE [INTERVAL]", "LEAST", "VERDICT", "EXPECTED", "R");
  return inked(line, Ink::bold, style) + "\n";
}

std::string table_row(const results::Row& row, const Style& style, std::string_view previous_step) {
  const auto heading = row.step == previous_step ? std::string() : step_heading(row, style);
  return heading + (timed(row) ? timed_row(row, style) : untimed_row(row, style));
}

}  // namespace harness::run
