#include "harness/programs/versus_text.hpp"

#include "harness/compare/gate_session.hpp"
#include "harness/compare/leaning.hpp"
#include "harness/compare/run_file.hpp"
#include "harness/run/closing_lines.hpp"
#include "harness/run/open_rows.hpp"
#include "harness/run/row_view.hpp"
#include "harness/run/run_output.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>

namespace harness::programs {
namespace {

constexpr double short_run = 0.05;  // seconds: the start of a shell counts there

/// A row, and what the rows beside it say of it.
struct Seen {
  const results::Row& row;
  bool withdrawn = false;  // what disturbed the machine could have made the slowdown
  bool leaning = false;    // it looks slower, and its rounds do not tell for certain
  bool cut_short = false;  // it ended before the rounds that an open difference needs
  bool stopped = false;    // by a signal: nothing else leaves a row open without a word
  bool maybe_slower() const { return withdrawn || leaning; }
};

Seen seen_in(const results::Results& results, const results::Row& row) {
  const auto& judged = row.judged;
  const bool undecided = judged.verdict == Verdict::inconclusive;
  return {.row = row,
          .withdrawn = compare::withdrawn(judged, row.delta),
          .leaning = compare::leans_slower(row, compare::undecided_rows(results.rows)),
          .cut_short = undecided && row.rounds < results.session.looks.front(),
          .stopped = undecided && row.reason.empty() && row.rounds < results.session.looks.back()};
}

std::string word_of(const Seen& seen, const Plan& plan) {
  const auto& row = seen.row;
  const auto words = words_of(plan);
  switch (row.judged.verdict) {
    case Verdict::helps:
      return words.less;
    case Verdict::hurts:
      return words.more;
    case Verdict::no_effect:
      return fmt::format("within {:g} %", 100 * row.delta);
    case Verdict::inconclusive:
      if (seen.maybe_slower()) return "maybe " + words.more;
      if (seen.stopped) return "stopped early";
      return seen.cut_short ? "short of rounds" : "cannot tell";
    default:
      return std::string(to_string(row.judged.verdict));
  }
}

std::string remarks_of(const Seen& seen) {
  const auto& row = seen.row;
  std::vector<std::string> parts;
  if (!row.reason.empty()) parts.push_back(row.reason);
  if (seen.withdrawn)
    parts.emplace_back("what disturbed the machine could have made it; --metric instructions tells");
  std::ranges::move(run::reasons_of(row.judged), std::back_inserter(parts));
  if (row.cpu && row.cpu->ratio_interval && row.judged.verdict == Verdict::inconclusive)
    parts.push_back("CPU time " + change_text(row.cpu->ratio, row.cpu->ratio_interval));
  return printable(fmt::format("{}", fmt::join(parts, "; ")));
}

/// Each row has times of the first command of its own; the table shows those of the first row.
std::string beside_text(const results::Row& row, const results::Row& first, const Plan& plan) {
  const auto here = value_text(plan, results::as_printed(row.name, row.naive_seconds));
  if (here == value_text(plan, results::as_printed(first.name, first.naive_seconds))) return {};
  return fmt::format("beside it, the first command: {}", here);
}

/// The cells of a line: a value, a change, a word. One without a change has no value either.
using Cells = std::array<std::string, 3>;

Cells cells_of(const Seen& seen, const Plan& plan, const Style& style) {
  const auto& row = seen.row;
  const auto word = inked(word_of(seen, plan), run::verdict_ink(row.judged.verdict), style);
  if (row.naive_seconds <= 0) return {"", "", word};
  return {value_text(plan, results::as_printed(row.name, results::shown_optimized(row))),
          compare::printed_change(row.name, row.judged.ratio, row.judged.ratio_interval), word};
}

std::string table_line(const std::string& name, const Cells& cells, const Plan& plan, const Style& style) {
  constexpr int fixed = 56, fewest = 24;  // columns: beside the name, and of it
  if (style.columns < fixed + fewest) return stacked(name, cells, style);
  std::size_t longest = 10;
  for (const auto& candidate : plan.candidates) longest = std::max(longest, candidate.name.size());
  const auto width = std::min(longest, static_cast<std::size_t>(style.columns - fixed));
  const auto begin = fmt::format("  {:{}} ", without_middle(name, width), width);
  const auto& [value, change, word] = cells;
  if (value.empty()) return begin + word + "\n";
  if (change.empty()) return fmt::format("{}{:>12}\n", begin, value);
  return fmt::format("{}{:>12}  {:<24} {}\n", begin, value, change, word);
}

std::string rounds_text(const results::Results& results) {
  const auto count = run::rounds_of_rows(results.rows);
  if (count.empty()) return {};
  double seconds = 0;
  for (const auto& round : results.rounds) seconds += round.seconds;
  return fmt::format("{} of fresh processes, in turn, in {}. ", count, run::duration_text(seconds));
}

bool is_short(const results::Results& results, const Plan& plan) {
  return plan.metric == Metric::wall && plan.shell != "none" &&
         std::ranges::any_of(results.rows, [](const results::Row& row) {
           return row.naive_seconds > 0 && row.naive_seconds < short_run;
         });
}

/// JUnit's names carry the unit of the metric.
std::string value_name(const char* name, const Plan& plan) {
  const auto unit = compare::value_words(fmt::format("versus/{}/", to_string(plan.metric))).unit;
  return unit.empty() ? name : fmt::format("{} ({})", name, unit);
}

compare::CiCase ci_case(const results::Results& results, const results::Row& row, const std::string& name,
                        const Plan& plan) {
  const auto seen = seen_in(results, row);
  const auto fate = compare::fate_of_command(row, results);
  compare::CiCase one{.group = row.step,
                      .name = printable(name),
                      .fate = fate == compare::Fate::failure && !plan.gates ? compare::Fate::pass : fate,
                      .verdict = word_of(seen, plan),
                      .message = remarks_of(seen),
                      .seconds = row.row_seconds};
  if (row.naive_seconds <= 0) return one;
  const auto before = results::as_printed(row.name, row.naive_seconds);
  const auto after = results::as_printed(row.name, results::shown_optimized(row));
  one.before = value_text(plan, before);
  one.after = value_text(plan, after);
  compare::add_change(one, row.name, row.judged.ratio, row.judged.ratio_interval, row.delta);
  compare::add_figure(one, "rounds", row.rounds);
  compare::add_figure(one, value_name("first command", plan), before);
  compare::add_figure(one, value_name("this command", plan), after);
  compare::add_figure(one, "smallest change that could be shown", row.judged.smallest_effect);
  return one;
}

}  // namespace

std::string versus_text(const results::Results& results, const Plan& plan, const Style& style) {
  const auto line = [&](const Candidate& candidate, const Cells& cells) {
    return table_line(printable(candidate.name), cells, plan, style);
  };
  auto heading = table_line("COMMAND", {words_of(plan).heading, "CHANGE [INTERVAL]", "VERDICT"}, plan, style);
  heading.pop_back();
  auto out = inked(heading, Ink::bold, style) + "\n";
  const auto timed =
      std::ranges::find_if(results.rows, [](const auto& row) { return row.naive_seconds > 0; });
  const auto first = timed == results.rows.end()
                         ? std::string()
                         : value_text(plan, results::as_printed(timed->name, timed->naive_seconds));
  out += line(plan.candidates.front(), {first, "", ""});
  for (std::size_t i = 0; i < results.rows.size(); ++i) {
    const auto& row = results.rows[i];
    const auto seen = seen_in(results, row);
    out += line(plan.candidates.at(i + 1), cells_of(seen, plan, style));
    const auto beside = row.naive_seconds > 0 ? beside_text(row, *timed, plan) : std::string();
    for (const auto& remarks : {beside, remarks_of(seen)})
      if (!remarks.empty()) out += indented("      ", remarks, 6, style);
  }
  const auto delta = results.rows.front().delta;
  auto meaning = fmt::format("{} or {}: by more than {:g} %, at an error of at most 1 %.",
                             words_of(plan).less, words_of(plan).more, 100 * delta);
  meaning.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(meaning.front())));
  const auto closing = rounds_text(results) + meaning;
  out += '\n';
  out += indented("", closing, 0, style);
  const auto open = run::open_rows(results);
  if (std::ranges::any_of(open, [&](std::size_t i) { return !seen_in(results, results.rows[i]).stopped; }))
    out += indented("", "To decide what is open, give more time with --budget.", 0, style);
  if (is_short(results, plan))
    out += indented("", "These times hold the start of a shell; --shell none leaves it out.", 0, style);
  return out;
}

std::string title_of(const Plan& plan) {
  return "tuneproof versus " + printable(plan.candidates.front().name);
}

compare::CiReport versus_ci(const results::Results& results, const Plan& plan, bool strict) {
  compare::CiReport report{.title = title_of(plan), .demands = {.strict = strict}};
  for (std::size_t i = 0; i < results.rows.size(); ++i)
    report.rows.push_back(ci_case(results, results.rows[i], plan.candidates.at(i + 1).name, plan));
  return report;
}

}  // namespace harness::programs
