#include "harness/run/closing_lines.hpp"

#include "harness/core/judged_figure.hpp"
#include "harness/run/row_view.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

namespace harness::run {
namespace {

/// Rows of that verdict, the largest change first.
std::vector<const results::Row*> by_change(std::span<const results::Row> rows, Verdict verdict) {
  std::vector<const results::Row*> some;
  for (const auto& row : rows)
    if (row.judged.verdict == verdict && !compares_timers(row.measured.figures) && !has_one_form(row))
      some.push_back(&row);
  std::ranges::stable_sort(some, std::greater{},
                           [](const results::Row* row) { return std::abs(std::log(row->judged.ratio)); });
  return some;
}

constexpr std::size_t most_named = 3;

/// "a, b, c, and 4 more".
std::string listed(std::vector<std::string> names) {
  if (const auto all = names.size(); all > most_named) {
    names.resize(most_named);
    names.push_back(fmt::format("and {} more", all - most_named));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// "sync/a (-48.3 %), sync/b (-30.0 %), and 4 more".
std::string named(const std::vector<const results::Row*>& rows) {
  std::vector<std::string> names;
  for (const auto* row : rows)
    names.push_back(
        fmt::format("{} ({} %)", row->name, percent_text(results::as_printed(row->name, row->judged.ratio))));
  return listed(std::move(names));
}

/// All changes of a workload at once: such a row says nothing of one tip.
bool is_whole_ladder(const results::Row* row) {
  return row->step.ends_with("/best_form") || row->step.ends_with("/end_to_end");
}

/// The reason that a row without a verdict is counted under.
std::string main_reason(const results::Row& row) {
  const auto reasons = reasons_of(row.judged);
  if (reasons.empty()) return row.rounds == 0 ? "too few rounds" : "interval crosses the margin";
  const auto& first = reasons.front();
  return first.starts_with("only ") ? "too few rounds" : first.substr(0, first.find(" ("));
}

/// Why rows could not be judged and what to do about it.
std::string undecided_text(std::span<const results::Row> rows, const std::string& what_to_do) {
  std::map<std::string, std::size_t> reasons;
  bool too_few = false;
  double off = 0;
  std::vector<std::string> names;
  for (const auto& row : rows) {
    if (row.judged.verdict != Verdict::inconclusive || has_one_form(row)) continue;
    names.push_back(row.name);
    ++reasons[main_reason(row)];
    off = std::max(off, row.judged.off);
    too_few = too_few || has_too_few_rounds(row);
  }
  const auto count = names.size();
  if (count == 0) return {};
  std::vector<std::string> parts;
  for (const auto& [reason, times] : reasons) {
    parts.push_back(flag_text(reason, off));
    if (times < count) parts.back() += fmt::format(": {}", times);
  }
  const bool of_commands = results::is_of_commands(rows.front().name);
  std::string advice =
      of_commands ? "Take more rounds: raise --budget, or measure on a quieter machine."
      : too_few   ? "Take more rounds: raise --budget, select fewer rows, or go on from a file with --resume."
                  : "Run `tuneproof doctor` to see what disturbs this machine, or measure "
                    "these rows again with --looks 3.";
  if (!of_commands && !what_to_do.empty()) advice = what_to_do;
  return fmt::format("Cannot tell: {} {} ({}): {}. {}", count, count == 1 ? "row" : "rows",
                     fmt::join(parts, ", "), listed(std::move(names)), advice);
}

/// What is certain of rows that their times do not decide.
std::string told_otherwise_text(std::span<const results::Row> rows) {
  std::vector<std::string> told;
  for (const auto& row : rows)
    if (told_otherwise(row)) told.push_back(fmt::format("{} ({})", row.name, evidence_text(row)));
  if (told.empty()) return {};
  return fmt::format("Time cannot tell, but this is known: {}.", listed(std::move(told)));
}

/// Rows that came out otherwise than their sources say, each with both; empty where there is none.
std::string contradictions_text(std::span<const results::Row> rows) {
  std::vector<std::string> named;
  for (const auto& row : rows) {
    if (!contradicts_source(row)) continue;
    const auto figure = row.published == "no figure" ? "" : fmt::format(", {}", row.published);
    named.push_back(fmt::format("{} (source: {}{}; here: {}, {} %)", row.name, expected_word(row), figure,
                                word_of(row), percent_text(row.judged.ratio)));
  }
  return named.empty() ? "" : fmt::format("Contradicts its source: {}.", fmt::join(named, "; "));
}

/// That no row contradicts its source; empty where one does, or where no verdict has a source that says what
/// to expect.
std::string no_contradiction_text(std::span<const results::Row> rows) {
  const auto decided = [](const results::Row& row) { return is_decided(row.judged.verdict); };
  const auto expected = std::ranges::count_if(
      rows, [&](const results::Row& row) { return decided(row) && !expected_word(row).empty(); });
  if (expected == 0 || std::ranges::any_of(rows, contradicts_source)) return {};
  return fmt::format(
      "No row contradicts its source; of {} decided, {} {} a source that says what to expect on such a "
      "device.",
      std::ranges::count_if(rows, decided), expected, expected == 1 ? "has" : "have");
}

/// How many verdicts were taken on a machine that other work kept busy.
std::string unstable_text(std::span<const results::Row> rows) {
  int verdicts = 0;
  int unstable = 0;
  double off = 0;
  for (const auto& row : rows) {
    if (!is_decided(row.judged.verdict)) continue;
    ++verdicts;
    if (std::ranges::count(row.judged.flags, "unstable machine") == 0) continue;
    ++unstable;
    off = std::max(off, row.judged.off);
  }
  if (unstable == 0) return {};
  return fmt::format(
      "Verdicts from an {}: {} of {}. They hold in the calm rounds too; `tuneproof doctor` says what "
      "disturbs this machine.",
      flag_text("unstable machine", off), unstable, verdicts);
}

/// "Each row rests on 14 rounds", or on how many to how many; what to do where these are too few for any row.
std::string rounds_text(std::span<const results::Row> rows) {
  const auto count = rounds_of_rows(rows);
  if (count.empty()) return {};
  const bool too_few = std::ranges::all_of(
      rows, [](const results::Row& row) { return row.rounds == 0 || has_too_few_rounds(row); });
  const auto* const fresh = count == "1 round" ? "a fresh process" : "each a fresh process";
  if (std::ranges::all_of(rows, has_one_form))
    return fmt::format("TIME is the median of {}, {}. compare --base --head tells two builds apart.", count,
                       fresh);
  return fmt::format(
      "From FROM to TO: CHANGE is the median of the rounds' ratios, and TO the time of FROM times it. Each "
      "row {}, {}{}. --details adds TO, reasons and counters.",
      too_few ? "has only " + count : "rests on " + count, fresh,
      too_few ? ": too few for a verdict; give a larger --budget, or go on from a file with --resume" : "");
}

/// How the intervals of rows are made that an early look decided; empty without any.
std::string early_text(std::span<const results::Row> rows) {
  const auto early = std::ranges::count_if(rows, [](const results::Row& row) {
    return row.judged.method == CiMethod::widened_range && row.judged.verdict != Verdict::inconclusive;
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
    return fmt::format("Judged together, {} verdicts hold (false discovery rate 5 %).",
                       verdicts == 2 ? "both" : fmt::format("all {}", verdicts));
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

/// What the reasons mean that stand beside "Cannot tell"; empty where they say it themselves.
std::string reasons_text(std::span<const results::Row> rows) {
  std::vector<results::Row> undecided;
  std::ranges::copy_if(rows, std::back_inserter(undecided), [](const results::Row& row) {
    return row.judged.verdict == Verdict::inconclusive && !told_otherwise(row);
  });
  const auto meanings = flag_meanings(undecided);
  return meanings.empty() ? "" : fmt::format("{}.", fmt::join(meanings, "; "));
}

/// Without its last line break, which stands behind the colour.
std::string unbroken(std::string text) {
  text.pop_back();
  return text;
}

}  // namespace

std::string rounds_of_rows(std::span<const results::Row> rows) {
  int least = 0;
  int most = 0;
  for (const auto& row : rows) {
    if (row.rounds == 0) continue;
    least = least == 0 ? row.rounds : std::min(least, row.rounds);
    most = std::max(most, row.rounds);
  }
  if (most == 0) return {};
  return least == most ? fmt::format("{} {}", most, most == 1 ? "round" : "rounds")
                       : fmt::format("{} to {} rounds", least, most);
}

std::vector<const results::Row*> gains(std::span<const results::Row> rows, bool ladders) {
  std::vector<const results::Row*> some;
  for (const auto* row : by_change(rows, Verdict::helps))
    if (is_whole_ladder(row) == ladders &&
        std::ranges::find(some, row->step, &results::Row::step) == some.end())
      some.push_back(row);
  return some;
}

std::vector<const results::Row*> worth_a_look(std::span<const results::Row> rows) {
  std::vector<const results::Row*> first;
  for (const auto& some : {gains(rows, false), gains(rows, true), by_change(rows, Verdict::hurts),
                           by_change(rows, Verdict::no_effect)}) {
    for (const auto* row : some)
      if (first.size() < most_named &&
          std::ranges::find(first, row->step, &results::Row::step) == first.end())
        first.push_back(row);
    if (!first.empty()) break;
  }
  return first;
}

std::vector<std::string> remarks(std::span<const results::Row> rows, const std::string& what_to_do) {
  std::vector<std::string> lines;
  if (std::ranges::all_of(rows, has_one_form)) return lines;
  for (auto& text : {no_contradiction_text(rows), told_otherwise_text(rows), undecided_text(rows, what_to_do),
                     unstable_text(rows)})
    if (!text.empty()) lines.push_back(text);
  return lines;
}

std::vector<std::string> closing_lines(std::span<const results::Row> rows, const std::string& what_to_do) {
  std::vector<std::string> lines;
  if (std::ranges::all_of(rows, has_one_form)) return lines;
  if (const auto some = gains(rows, false); !some.empty()) lines.push_back("Helps most: " + named(some));
  if (const auto some = gains(rows, true); !some.empty()) lines.push_back("Whole ladders: " + named(some));
  if (const auto some = by_change(rows, Verdict::hurts); !some.empty())
    lines.push_back("Hurts: " + named(some));
  if (auto text = contradictions_text(rows); !text.empty()) lines.push_back(std::move(text));
  std::ranges::move(remarks(rows, what_to_do), std::back_inserter(lines));
  return lines;
}

std::string summary(std::span<const results::Row> rows, const Style& style, const std::string& what_to_do) {
  const auto counts = verdict_counts(rows);
  const bool fits = counts.size() <= static_cast<std::size_t>(style.columns);
  auto out = "\n" + (fits ? verdict_counts(rows, style) + "\n" : indented("", counts, 0, style));
  for (const auto& line : closing_lines(rows, what_to_do)) out += indented("", line, 0, style);
  std::vector<std::string> texts{rounds_text(rows)};
  if (!std::ranges::all_of(rows, has_one_form))  // which have nothing to be judged against
    texts = {reasons_text(rows), other_words_text(rows), rounds_text(rows), early_text(rows),
             together_text(rows)};
  for (const auto& text : texts)
    if (!text.empty()) out += inked(unbroken(indented("", text, 0, style)), Ink::dim, style) + "\n";
  return out;
}

}  // namespace harness::run
