#include "harness/report/table.hpp"

#include "harness/report/number.hpp"
#include "harness/report/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace harness {
namespace {

// "  point                     naive optimized  change [interval]       verdict       published rounds"
constexpr int fixed_columns = 74;  // all but the point
constexpr int narrowest_point = 16;

int point_columns(const Style& style) { return std::max(style.columns - fixed_columns, narrowest_point); }

Ink ink_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::helps:
      return Ink::green;
    case Verdict::hurts:
    case Verdict::failed:
    case Verdict::invalid:
      return Ink::red;
    case Verdict::inconclusive:
      return Ink::yellow;
    case Verdict::skipped:
      return Ink::dim;
    case Verdict::no_effect:
      break;
  }
  return Ink::plain;
}

/// What the row adds to its step's name; the device where that is all.
std::string point_text(const Row& row) {
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

std::string step_heading(const Row& row, const Style& style) {
  const auto published = fmt::format("published: {}", row.published);
  auto text = indented("", published, 4, style);
  text.pop_back();
  return fmt::format("\n{}\n{}\n", inked(row.step, Ink::bold, style), inked(text, Ink::dim, style));
}

bool timed(const Row& row) { return row.naive_seconds > 0 && row.optimized_seconds > 0; }

std::string cells(const Row& row, const Style& style) {
  const bool otherwise = otherwise_than_published(row);
  const auto change = change_text(row.judged.ratio, row.judged.ratio_interval);
  const auto percent = change.find(' ');  // the signs stand below each other
  const auto verdict = fmt::format("{:11}", verdict_text(row.judged.verdict));
  const auto published = fmt::format("{} {:9}", otherwise ? '!' : ' ', to_string(row.expected));
  return fmt::format("{:>8}  {:>8}  {:24} {} {} {:>5}", time_text(row.naive_seconds),
                     time_text(row.optimized_seconds),
                     fmt::format("{:>{}}", change, change.size() + (percent < 5 ? 5 - percent : 0)),
                     inked(verdict, ink_of(row.judged.verdict), style),
                     inked(published, otherwise ? Ink::yellow : Ink::plain, style), row.rounds);
}

/// What stands below a row: why it is as it is.
std::string note(const Row& row) {
  std::vector<std::string> parts;
  if (!row.reason.empty()) parts.push_back(row.reason);
  if (row.judged.verdict == Verdict::inconclusive && row.judged.ratio_interval)
    parts.push_back(fmt::format("could have shown >= {:.2g} %", 100 * row.judged.smallest_effect));
  parts.insert(parts.end(), row.judged.flags.begin(), row.judged.flags.end());
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string untimed_row(const Row& row, const Style& style) {
  const auto lead = "  " + point_text(row);
  const auto said = fmt::format("{}: {}", verdict_text(row.judged.verdict), note(row));
  const auto beside = std::max(point_columns(style), static_cast<int>(lead.size()) + 2);
  const auto text = indented(lead, said, beside <= style.columns / 2 ? beside : 6, style);
  return lead +
         inked(text.substr(lead.size(), text.size() - lead.size() - 1), ink_of(row.judged.verdict), style) +
         "\n";
}

std::string timed_row(const Row& row, const Style& style) {
  const auto column = point_columns(style);
  const auto lines = pieces(point_text(row), column - 3);
  auto out = fmt::format("  {:{}}", lines.front(), column - 2) + cells(row, style) + "\n";
  for (std::size_t i = 1; i < lines.size(); ++i) out += "  " + lines[i] + "\n";
  for (const auto& text : {note(row), figures_text(row)}) {
    if (text.empty()) continue;
    const auto below = indented("", text, 6, style);
    out += inked(below.substr(0, below.size() - 1), Ink::dim, style) + "\n";
  }
  return out;
}

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

std::string_view verdict_text(Verdict verdict) {
  if (verdict == Verdict::no_effect) return "no effect";
  return verdict == Verdict::inconclusive ? "cannot tell" : to_string(verdict);
}

bool otherwise_than_published(const Row& row) {
  switch (row.judged.verdict) {
    case Verdict::helps:
      return row.expected == Outcome::no_effect || row.expected == Outcome::hurts;
    case Verdict::no_effect:
      return row.expected == Outcome::helps || row.expected == Outcome::hurts;
    case Verdict::hurts:
      return row.expected == Outcome::helps || row.expected == Outcome::no_effect;
    default:
      return false;
  }
}

std::string table_heading(const Style& style) {
  const auto line =
      fmt::format("{:{}}{:>8}  {:>8}  {:24} {:11} {:10} {:>6}", "STEP, POINT", point_columns(style), "NAIVE",
                  "OPTIM.", "CHANGE [INTERVAL]", "VERDICT", "  EXPECTED", "ROUNDS");
  return inked(line, Ink::bold, style) + "\n";
}

std::string table_row(const Row& row, const Style& style, std::string_view previous_step) {
  const auto heading = row.step == previous_step ? std::string() : step_heading(row, style);
  return heading + (timed(row) ? timed_row(row, style) : untimed_row(row, style));
}

std::string summary(std::span<const Row> rows, const Style& style) {
  constexpr std::array verdicts{Verdict::helps,   Verdict::no_effect, Verdict::hurts,  Verdict::inconclusive,
                                Verdict::invalid, Verdict::failed,    Verdict::skipped};
  std::vector<std::string> counts;
  for (const auto verdict : verdicts) {
    const auto n = std::ranges::count_if(rows, [&](const Row& row) { return row.judged.verdict == verdict; });
    if (n > 0)
      counts.push_back(fmt::format("{} {}", n, inked(verdict_text(verdict), ink_of(verdict), style)));
  }
  auto out =
      fmt::format("\n{} {}: {}\n", rows.size(), rows.size() == 1 ? "row" : "rows", fmt::join(counts, ", "));
  std::vector<std::string> otherwise;
  for (const auto& row : rows)
    if (otherwise_than_published(row)) otherwise.push_back(row.name);
  if (!otherwise.empty())
    out += indented("! otherwise than published:", fmt::format("{}", fmt::join(otherwise, ", ")), 2, style);
  if (const auto rounds = rounds_text(rows); !rounds.empty()) {
    const auto text = indented("", rounds, 0, style);
    out += inked(text.substr(0, text.size() - 1), Ink::dim, style) + "\n";
  }
  return out;
}

}  // namespace harness
