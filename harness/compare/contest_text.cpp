#include "harness/compare/contest_text.hpp"

#include "harness/compare/comparison_text.hpp"
#include "harness/run/row_view.hpp"
#include "harness/run/table_row.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/shown.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace harness::compare {
namespace {

constexpr std::size_t contest_name_width = 32;
constexpr int time_width = 8, count_width = 15;  // "1,234,567,890"

std::string ratio_change(const Judgement& judged) { return change_text(judged.ratio, judged.ratio_interval); }

bool has_one_form(const ContestRow& row) { return run::has_one_form(row.row); }

bool claims(Verdict verdict) { return verdict == Verdict::helps || verdict == Verdict::hurts; }

Ink ink_of(const ContestRow& row) {
  if (row.confirmed || !row.increases.empty() || row.row.judged.verdict == Verdict::failed) return Ink::red;
  if (unsettled(row)) return Ink::yellow;
  if (row.row.judged.verdict == Verdict::helps) return Ink::green;
  return row.row.judged.verdict == Verdict::no_effect ? Ink::plain : Ink::yellow;
}

std::string repetition(const ContestRow& row) {
  if (!row.again) return "stopped before the row was measured again";
  const auto margin = fmt::format("margin {:.2g} %", 100 * row.row.delta);
  const auto again = fmt::format("{}; {}", ratio_change(*row.again), margin);
  if (row.confirmed) return "again " + again;
  if (withdrawn(*row.again, row.row.delta))
    return "in a fresh session what disturbed the machine could have made it: " + again;
  if (unsettled(row)) return "a fresh session could not tell: " + again;
  return "a fresh session refutes it: " + again;
}

/// Why a row that looks slower was not measured again.
std::string why_no_failure(const ContestRow& row) {
  if (withdrawn(row.row.judged, row.row.delta))
    return "beyond its margin, but what disturbed the machine could have made it; run `tuneproof doctor`";
  return fmt::format("beyond its margin, but not beyond chance among so many rows (p {:.2g})", row.p);
}

/// What the naive form did: where both forms moved, the step's own change is not what is seen.
std::string control_note(const ContestRow& row) {
  if (!claims(row.row.judged.verdict)) return {};
  if (has_one_form(row)) return "the fixed work beside it: " + ratio_change(row.control);
  if (row.control.verdict == row.row.judged.verdict)
    return fmt::format("the naive form moved too, {}, so the cause is code that both share, or the build",
                       ratio_change(row.control));
  return fmt::format("the naive form: {}", ratio_change(row.control));
}

/// BASE, HEAD and the change: of the time, HEAD's being BASE's times the ratio; or of the instructions.
std::array<std::string, 3> cells_of(const ContestRow& row) {
  const auto& judged = row.row.judged;
  if (const auto base = row.row.naive_seconds; base > 0)
    return {run::judged_text(row.row, base), run::judged_text(row.row, base * judged.ratio),
            ratio_change(judged)};
  if (!row.instructions) return {};
  const auto base = row.instructions->naive, head = row.instructions->optimized;
  return {count_text(std::llround(base)), count_text(std::llround(head)), change_text(head / base, {})};
}

std::string row_text(const ContestRow& row, const Style& style) {
  const auto& judged = row.row.judged;
  auto out = "  " + row.row.name;
  out += row.row.name.size() > contest_name_width
             ? "\n" + std::string(2 + contest_name_width, ' ')
             : std::string(contest_name_width - row.row.name.size(), ' ');
  const auto [base, head, change] = cells_of(row);
  const auto width = row.instructions ? count_width : time_width;
  out += fmt::format(" {:>{}} {:>{}}  {:<23} {:>6} {}\n", base, width, head, width, change,
                     judged.ratio_interval ? effect_text(judged.smallest_effect) : "",
                     inked(contest_word(row), ink_of(row), style));
  if (const auto note = contest_note(row); !note.empty()) {
    const auto below = indented("    ", note, 4, style);
    out += inked(below.substr(0, below.size() - 1), Ink::dim, style) + "\n";
  }
  for (const auto& increase : row.increases)
    out += inked(indented("    ", "MORE: " + increase_text(increase), 4, style), Ink::red, style);
  return out;
}

std::string counts_text(const ContestReport& report) {
  std::map<std::string, int> counts;
  for (const auto& row : report.outcome.rows) ++counts[contest_word(row)];
  std::vector<std::string> parts;
  for (const auto& [word, count] : counts) parts.push_back(fmt::format("{} {}", count, word));
  if (!report.missing.empty()) parts.push_back(fmt::format("{} missing", report.missing.size()));
  if (!report.added.empty()) parts.push_back(fmt::format("{} new", report.added.size()));
  const auto rows = report.outcome.rows.size();
  const auto how = report.outcome.rounds.empty() ? std::string()
                                                 : fmt::format(" in {} rounds", report.outcome.rounds.size());
  return fmt::format("{} {}{}: {}", rows, rows == 1 ? "row" : "rows", how, fmt::join(parts, ", "));
}

/// What fails, by name: the last lines of a log are what is read.
std::string failures_text(const ContestReport& report, const Style& style) {
  std::string out;
  for (const auto& row : report.outcome.rows) {
    if (row.confirmed)
      out += fmt::format("{}: slower in two sessions, {} and {}; margin {:.2g} %\n",
                         inked(row.row.name, Ink::red, style), ratio_change(row.row.judged),
                         ratio_change(*row.again), 100 * row.row.delta);
    for (const auto& increase : row.increases)
      out += fmt::format("{}: {}\n", inked(row.row.name, Ink::red, style), increase_text(increase));
  }
  return out;
}

}  // namespace

bool is_lost(const results::Row& row) {
  return row.judged.verdict == Verdict::skipped && row.reason.starts_with("HEAD: ");
}

std::string contest_word(const ContestRow& row) {
  if (row.confirmed) return "slower";
  if (!row.increases.empty()) return "doing more";
  if (is_lost(row.row)) return "missing";
  if (unsettled(row)) return "maybe slower";
  if (row.regressed) return "not confirmed";
  if (row.instructions && row.row.judged.verdict == Verdict::inconclusive)
    return instructions_word(*row.instructions);
  return std::string(run::word_of(row.row.judged.verdict));
}

std::string contest_note(const ContestRow& row) {
  const auto& judged = row.row.judged;
  std::vector<std::string> parts;
  if (!row.row.reason.empty()) parts.push_back(row.row.reason);
  if (row.regressed) parts.push_back(repetition(row));
  if (unsettled(row) && !row.regressed) parts.push_back(why_no_failure(row));
  if (!results::is_error(row.row)) parts.insert(parts.end(), judged.flags.begin(), judged.flags.end());
  for (const auto& text : {control_note(row), vanished_text(row.vanished)})
    if (!text.empty()) parts.push_back(text);
  return fmt::format("{}", fmt::join(parts, "; "));
}

void clean(ContestReport& report) {
  for (auto* side : {&report.base, &report.head})
    for (auto* text : {&side->program, &side->version, &side->commit}) *text = printable(*text);
  for (auto* texts : {&report.missing, &report.added, &report.notes})
    for (auto& text : *texts) text = printable(text);
  for (auto& row : report.outcome.rows) {
    for (auto* text : {&row.row.name, &row.row.step, &row.row.reason}) *text = printable(*text);
    for (auto& text : row.vanished) text = printable(text);
    for (auto& increase : row.increases) increase.figure = printable(increase.figure);
  }
}

std::string contest_text(const ContestReport& report, const Style& style) {
  auto out = fmt::format("BASE {} ({})\nHEAD {} ({})\n\n", report.base.program, report.base.commit,
                         report.head.program, report.head.commit);
  const bool timed = !report.outcome.rounds.empty();
  const auto width = timed ? time_width : count_width;
  out += inked(fmt::format("  {:<{}} {:>{}} {:>{}}  {:<23} {:>6} {}",
                           !timed                                                   ? "INSTRUCTIONS OF"
                           : std::ranges::all_of(report.outcome.rows, has_one_form) ? "BENCHMARK"
                                                                                    : "OPTIMIZED FORM OF",
                           contest_name_width, "BASE", width, "HEAD", width,
                           timed ? "CHANGE [INTERVAL]" : "CHANGE", timed ? "LEAST" : "", "VERDICT"),
               Ink::bold, style) +
         "\n";
  for (const auto& row : report.outcome.rows) out += row_text(row, style);
  out += name_list("Missing in HEAD", report.missing, style);
  out += name_list("New in HEAD", report.added, style);
  if (!report.notes.empty()) out += "\n";
  for (const auto& note : report.notes) out += indented("note:", note, 6, style);
  if (timed)
    out += indented("note:", "LEAST is the smallest change that these rounds could have shown", 6, style);
  out += fmt::format("\n{}; seed 0x{:x}\n", counts_text(report), report.outcome.session.seed);
  return out + failures_text(report, style);
}

}  // namespace harness::compare
