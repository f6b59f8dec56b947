#include "harness/compare/comparison_text.hpp"

#include "harness/run/row_view.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <ranges>

namespace harness::compare {
namespace {

constexpr std::size_t name_width = 42;
constexpr int note_column = 4;

Ink ink_of(const ComparedRow& row) {
  if (!row.increases.empty()) return Ink::red;
  switch (row.verdict) {
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

std::string change_cell(const ComparedRow& row, const std::optional<Change>& change) {
  return change ? printed_change(row.name, change->ratio, change->ratio_interval) : std::string();
}

/// What the verdict leaves out: the control and the ratio of the two forms.
std::string details(const ComparedRow& row) {
  if (!row.naive || !row.speed_up || row.verdict == Verdict::no_effect) return {};
  const bool of_commands = results::is_of_commands(row.name);
  return fmt::format("{} {}; {} {}",
                     of_commands    ? "the first command"
                     : row.one_form ? "the fixed work beside it"
                                    : "first side",
                     change_cell(row, row.naive),
                     of_commands || row.one_form ? "this one against it" : "second against first",
                     change_cell(row, row.speed_up));
}

/// What the rows are.
std::string_view title_of(const Comparison& comparison) {
  if (comparison.benchmarks || std::ranges::all_of(comparison.rows, &ComparedRow::one_form))
    return "BENCHMARK";
  return std::ranges::all_of(comparison.rows, results::is_of_commands, &ComparedRow::name) ? "COMMAND"
                                                                                           : "SECOND SIDE OF";
}

/// `cells`: of BASE, of NEW, the change, the verdict.
std::string table_line(const std::string& name, const std::array<std::string, 4>& cells, const Style& style) {
  constexpr int narrow = 100;
  if (style.columns < narrow) return stacked(name, cells, style);
  const auto gap = name.size() > name_width ? "\n" + std::string(2 + name_width, ' ')
                                            : std::string(name_width - name.size(), ' ');
  return fmt::format("  {}{} {:>8} {:>8}  {:<24} {}\n", name, gap, cells[0], cells[1], cells[2], cells[3]);
}

std::string row_text(const ComparedRow& row, const std::string& word, const Style& style) {
  auto out = table_line(
      row.name,
      {value_text(row.name, row.words, row.base_seconds), value_text(row.name, row.words, row.seconds),
       change_cell(row, row.optimized), inked(word, ink_of(row), style)},
      style);
  std::string below;
  std::vector<std::string> same;
  for (const auto& figure : row.figures)
    if (figure.worse || figure.change.verdict != Verdict::no_effect)
      below += indented("    ", figure_text(figure), note_column, style);
    else
      same.push_back(figure.name);
  if (!same.empty())
    below += indented("    ", fmt::format("the same: {}", fmt::join(same, ", ")), note_column, style);
  for (const auto& text : {row.note, vanished_text(row.vanished)})
    if (!text.empty()) below += indented("    ", text, note_column, style);
  if (const auto more = details(row); !more.empty()) below += indented("    ", more, note_column, style);
  if (!below.empty()) out += inked(below.substr(0, below.size() - 1), Ink::dim, style) + "\n";
  for (const auto& increase : row.increases)
    out += inked(indented("    ", fmt::format("MORE: {}", increase_text(increase)), note_column, style),
                 Ink::red, style);
  return out;
}

/// The word of a row, with the margin of a benchmark, which the user chose.
std::string word_of(const Comparison& comparison, const ComparedRow& row) {
  if (comparison.benchmarks && row.verdict == Verdict::no_effect && compared_word(row) == "same")
    return fmt::format("within {:.4g} %", 100 * row.delta);
  return compared_word(row);
}

std::string counts_text(const Comparison& comparison) {
  std::map<std::string, int> words;
  for (const auto& row : comparison.rows) ++words[word_of(comparison, row)];
  std::vector<std::string> parts;
  for (const auto& [word, rows] : words) parts.push_back(fmt::format("{} {}", rows, word));
  if (!comparison.missing.empty()) parts.push_back(fmt::format("{} missing", comparison.missing.size()));
  if (!comparison.added.empty()) parts.push_back(fmt::format("{} new", comparison.added.size()));
  const auto rows = comparison.rows.size();
  return fmt::format("{} {}: {}", rows, rows == 1 ? "row" : "rows", fmt::join(parts, ", "));
}

std::string differences_text(const Comparison& comparison, const Style& style) {
  std::string out;
  for (const auto& [field, base, current] : comparison.differences)
    out += indented("  ", fmt::format("{}: {} -> {}", field, base, current), note_column, style);
  return out;
}

std::string differs(const results::Difference& difference) {
  return fmt::format("{} differs: {} -> {}", difference.field, difference.base, difference.current);
}

/// What to do where no row has a verdict; empty where one has, or where the runs differ in what they share.
std::string_view next_step(const Comparison& comparison) {
  const auto is_open = [](const ComparedRow& row) {
    return row.verdict == Verdict::inconclusive || row.verdict == Verdict::skipped;
  };
  const bool measured = std::ranges::any_of(comparison.rows, [](const ComparedRow& row) {
    return row.verdict == Verdict::inconclusive && row.increases.empty() && !row.instructions;
  });
  if (comparison.benchmarks || !comparison.differences.empty() || !measured ||
      !std::ranges::all_of(comparison.rows, is_open))
    return {};
  if (comparison.one_session) return "Next: measure once more and compare that file with this one.";
  return "Next: measure both again with more rounds (a longer --budget), or measure both programs together "
         "(tuneproof compare --base OLD --head NEW).";
}

std::string report_title(const Comparison& comparison) {
  return fmt::format("tuneproof compare {} {}", comparison.base, comparison.current);
}

bool got_worse(const ComparedFigure& figure) { return figure.worse; }

Fate fate_of_row(const ComparedRow& row, const Demands& demands) {
  if (!row.increases.empty()) return Fate::failure;
  // Times only advise, so counts that BASE has were what gates.
  if (row.lost || (!row.vanished.empty() && !demands.allow_missing)) return Fate::missing;
  if (row.verdict == Verdict::hurts || std::ranges::any_of(row.figures, got_worse)) return Fate::advice;
  if (row.verdict == Verdict::inconclusive && row.instructions) return Fate::pass;
  if (row.leaning && demands.strict) return Fate::unsettled;
  return fate_of(row.verdict);
}

std::string message_of(const ComparedRow& row) {
  std::vector<std::string> parts;
  for (const auto& increase : row.increases) parts.push_back(increase_text(increase));
  for (const auto& figure : row.figures) parts.push_back(figure_text(figure));
  for (const auto& text : {row.note, vanished_text(row.vanished)})
    if (!text.empty()) parts.push_back(text);
  if (row.leaning || fate_of_row(row, {}) == Fate::advice)
    parts.emplace_back("advice: the two runs lie apart in time");
  return fmt::format("{}", fmt::join(parts, "; "));
}

CiCase ci_row(const Comparison& comparison, const ComparedRow& row, const Demands& demands) {
  CiCase out{.group = row.step,
             .name = row.name,
             .fate = fate_of_row(row, demands),
             .verdict = word_of(comparison, row),
             .before = value_text(row.name, row.words, row.base_seconds),
             .after = value_text(row.name, row.words, row.seconds),
             .message = message_of(row),
             .seconds = row.row_seconds};
  if (row.optimized)
    add_change(out, row.name, row.optimized->ratio, row.optimized->ratio_interval, row.delta);
  return out;
}

/// What may fail such a comparison, in a sentence.
std::string_view closing_sentence(const Comparison& comparison) {
  if (comparison.benchmarks)
    return "The two runs lie apart in time, so times, rates and counters only advise. Memory that grew by "
           "more than 1 % fails.";
  return "The two runs lie apart in time, so times only advise. Counts that rose fail.";
}

}  // namespace

std::string name_list(std::string_view title, const std::vector<std::string>& names, const Style& style,
                      std::string_view lists_all) {
  constexpr std::size_t most_named = 10;
  if (names.empty()) return {};
  auto out = fmt::format("\n{}\n", inked(std::string(title), Ink::bold, style));
  for (const auto& name : names | std::views::take(most_named)) out += fmt::format("  {}\n", name);
  if (names.size() <= most_named) return out;
  return out + indented("  ", fmt::format("and {} more; {} lists all", names.size() - most_named, lists_all),
                        2, style);
}

std::string compared_word(const ComparedRow& row) {
  if (row.lost) return "missing";
  if (row.verdict == Verdict::hurts) return std::string(row.words.more);
  if (!row.increases.empty()) return "doing more";
  for (const auto& figure : row.figures)
    if (figure.worse) return figure.unit == "s" ? "slower by CPU time" : "with other counters";
  if (!row.vanished.empty()) return "no longer counted";
  if (row.verdict == Verdict::helps) return std::string(row.words.less);
  if (row.verdict == Verdict::inconclusive && row.instructions) return instructions_word(*row.instructions);
  if (row.leaning) return fmt::format("maybe {}", row.words.more);
  return std::string(run::word_of(row.verdict));
}

std::string increase_text(const CountIncrease& increase) {
  const auto value = [&](double count) {
    const bool whole = std::floor(count) == count;
    return (whole ? counted_text(count) : plain_text(count)) + (increase.unit == "B" ? " B" : "");
  };
  const auto* const form = increase.form.empty() || increase.only_form ? ""
                           : increase.form == "naive"                  ? " (first side)"
                                                                       : " (second side)";
  const auto share =
      increase.base > 0 ? fmt::format(" ({} %)", percent_text(increase.current / increase.base)) : "";
  return fmt::format("{}{}: {} -> {}{}", increase.figure, form, value(increase.base), value(increase.current),
                     share);
}

std::string figure_text(const ComparedFigure& figure) {
  constexpr double first_counted = 1e4;  // from here on both have separators, as plain_text has from 10^7 on
  constexpr double most_counted = 1e15;
  const auto largest = std::max(std::abs(figure.base), std::abs(figure.current));
  const bool counts = largest >= first_counted && largest < most_counted;
  const auto value = [&](double one) {
    if (figure.unit == "s") return time_text(one);
    return counts && std::abs(one) >= 1000 ? count_text(std::llround(one)) : plain_text(one);
  };
  const auto change = figure.base > 0 && figure.current > 0
                          ? ", " + change_text(figure.change.ratio, figure.change.ratio_interval)
                          : std::string();
  return fmt::format("{}: {} -> {}{}", figure.name, value(figure.base), value(figure.current), change);
}

std::string vanished_text(const std::vector<std::string>& names) {
  return names.empty() ? std::string() : fmt::format("no longer counted: {}", fmt::join(names, ", "));
}

std::string comparison_text(const Comparison& comparison, const Style& style) {
  auto heading =
      table_line(std::string(title_of(comparison)), {"BASE", "NEW", "CHANGE [INTERVAL]", "VERDICT"}, style);
  heading.pop_back();
  auto out = inked(heading, Ink::bold, style) + "\n";
  for (const auto& row : comparison.rows)
    if (row.verdict != Verdict::skipped || row.lost)  // in both: the summary counts them
      out += row_text(row, word_of(comparison, row), style);
  out += name_list("Missing in NEW", comparison.missing, style);
  out += name_list("New in NEW", comparison.added, style);
  if (!comparison.differences.empty())
    out += fmt::format("\n{}\n{}", inked("Compared despite different", Ink::bold, style),
                       differences_text(comparison, style));
  if (!comparison.warnings.empty()) out += "\n";
  for (const auto& warning : comparison.warnings) out += indented("note:", warning, 6, style);
  out += "\n" + indented("", counts_text(comparison), 0, style) +
         indented("", closing_sentence(comparison), 0, style);
  const auto next = next_step(comparison);
  return next.empty() ? out : out + indented("", next, 0, style);
}

std::string refusal_text(const Comparison& comparison, const Style& style) {
  auto out = fmt::format("tuneproof: cannot compare {} and {}; they differ in\n", comparison.base,
                         comparison.current);
  out += differences_text(comparison, style);
  constexpr auto lists_all = "--allow-mismatch --markdown FILE";
  out += name_list("Missing in NEW", comparison.missing, style, lists_all);
  out += name_list("New in NEW", comparison.added, style, lists_all);
  std::string advice;
  std::vector<std::string> fields, must_agree;
  for (const auto& difference : comparison.differences)
    (across_options({difference.field}).empty() ? must_agree : fields).push_back(difference.field);
  if (const auto options = across_options(fields); !options.empty())
    advice += fmt::format("If that is what you compare, add{}. ", options);
  if (!must_agree.empty())
    advice += fmt::format("No --across covers {}: measure one of the two again so that both agree in it. ",
                          fmt::join(must_agree, ", "));
  advice += "--allow-mismatch shows the rows without a verdict on their times; counts that rose still fail.";
  return out + indented("", advice, 0, style);
}

CiReport refusal_report(const Comparison& comparison) {
  CiReport report{.title = report_title(comparison)};
  for (const auto& difference : comparison.differences) report.refusals.push_back(differs(difference));
  return report;
}

CiReport comparison_report(const Comparison& comparison, const Demands& demands) {
  CiReport report{.title = report_title(comparison), .demands = demands};
  report.demands.allow_undecided |= !comparison.differences.empty();  // else it was refused
  for (const auto& row : comparison.rows) report.rows.push_back(ci_row(comparison, row, report.demands));
  for (const auto& name : comparison.missing) report.rows.push_back(missing_row(name));
  for (const auto& name : comparison.added) report.notes.push_back("new: " + name);
  for (const auto& difference : comparison.differences) report.notes.push_back(differs(difference));
  for (const auto& warning : comparison.warnings) report.notes.push_back(warning);
  return report;
}

}  // namespace harness::compare
