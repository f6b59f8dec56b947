#include "harness/compare/contest_text.hpp"

#include "harness/compare/comparison_text.hpp"
#include "harness/run/table_row.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace harness::compare {
namespace {

constexpr std::size_t contest_name_width = 32;

std::string ratio_change(const Judgement& judged) { return change_text(judged.ratio, judged.ratio_interval); }

bool claims(Verdict verdict) { return verdict == Verdict::helps || verdict == Verdict::hurts; }

Ink ink_of(const ContestRow& row) {
  if (row.confirmed || row.row.judged.verdict == Verdict::failed) return Ink::red;
  if (row.row.judged.verdict == Verdict::helps) return Ink::green;
  return row.row.judged.verdict == Verdict::no_effect ? Ink::plain : Ink::yellow;
}

std::string repetition(const ContestRow& row) {
  if (!row.again) return "stopped before the row was measured again";
  const auto margin = fmt::format("margin {:.2g} %", 100 * row.row.delta);
  const auto again = fmt::format("{}; {}", ratio_change(*row.again), margin);
  if (row.confirmed) return "again " + again;
  if (on_unstable_machine(*row.again))
    return "a fresh session on an unstable machine confirms nothing: " + again + "; run `tuneproof doctor`";
  return "a fresh session does not show it: " + again;
}

/// Why a slower row does not fail.
std::string why_no_failure(const ContestRow& row) {
  if (row.advisory)
    return fmt::format("only advises: its noise in the self-test requires a margin of {:.2g} %",
                       100 * row.row.delta);
  if (on_unstable_machine(row.row.judged))
    return "beyond its margin, but nothing fails on an unstable machine; run `tuneproof doctor`";
  return fmt::format("beyond its margin, but not beyond chance among so many rows (p {:.2g})", row.p);
}

/// What the naive form did: where both forms moved, the step's own change is not what is seen.
std::string control_note(const ContestRow& row) {
  if (!claims(row.row.judged.verdict)) return {};
  if (row.control.verdict == row.row.judged.verdict)
    return fmt::format("the naive form moved too, {}, so the cause is code that both share, or the build",
                       ratio_change(row.control));
  return fmt::format("the naive form: {}", ratio_change(row.control));
}

std::string row_text(const ContestRow& row, const Style& style) {
  const auto& judged = row.row.judged;
  auto out = "  " + row.row.name;
  out += row.row.name.size() > contest_name_width
             ? "\n" + std::string(2 + contest_name_width, ' ')
             : std::string(contest_name_width - row.row.name.size(), ' ');
  const bool timed = row.row.naive_seconds > 0;
  out += fmt::format(
      " {:>8} {:>8}  {:<23} {:>6} {:>7} {}\n", timed ? run::judged_text(row.row, row.row.naive_seconds) : "",
      timed ? run::judged_text(row.row, row.row.optimized_seconds) : "", timed ? ratio_change(judged) : "",
      judged.ratio_interval ? effect_text(judged.smallest_effect) : "",
      timed && row.p < 1 ? fmt::format("{:.2g}", row.p) : "", inked(contest_word(row), ink_of(row), style));
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
  const auto more = std::ranges::count_if(report.outcome.rows,
                                          [](const ContestRow& row) { return !row.increases.empty(); });
  if (more > 0) parts.push_back(fmt::format("{} with higher counts", more));
  if (!report.missing.empty()) parts.push_back(fmt::format("{} missing", report.missing.size()));
  if (!report.added.empty()) parts.push_back(fmt::format("{} new", report.added.size()));
  const auto rows = report.outcome.rows.size();
  return fmt::format("{} {} in {} rounds: {}", rows, rows == 1 ? "row" : "rows", report.outcome.rounds.size(),
                     fmt::join(parts, ", "));
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
  if (row.regressed && !row.confirmed) return "not confirmed";
  return std::string(change_word(row.row.judged.verdict));
}

std::string contest_note(const ContestRow& row) {
  const auto& judged = row.row.judged;
  std::vector<std::string> parts;
  if (!row.row.reason.empty()) parts.push_back(row.row.reason);
  if (row.regressed) parts.push_back(repetition(row));
  if (judged.verdict == Verdict::hurts && !row.regressed) parts.push_back(why_no_failure(row));
  if (!results::is_error(row.row)) parts.insert(parts.end(), judged.flags.begin(), judged.flags.end());
  for (const auto& text : {control_note(row), vanished_text(row.vanished)})
    if (!text.empty()) parts.push_back(text);
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string contest_text(const ContestReport& report, const Style& style) {
  auto out = fmt::format("BASE {} ({})\nHEAD {} ({})\n\n", report.base.program, report.base.commit,
                         report.head.program, report.head.commit);
  out += inked(fmt::format("  {:<{}} {:>8} {:>8}  {:<23} {:>6} {:>7} {}", "OPTIMIZED FORM OF",
                           contest_name_width, "BASE", "HEAD", "CHANGE [INTERVAL]", "LEAST", "P", "VERDICT"),
               Ink::bold, style) +
         "\n";
  for (const auto& row : report.outcome.rows) out += row_text(row, style);
  out += name_list("Missing in HEAD", report.missing, style);
  out += name_list("New in HEAD", report.added, style);
  if (!report.notes.empty()) out += "\n";
  for (const auto& note : report.notes) out += indented("note:", note, 6, style);
  out += fmt::format("\n{}; seed 0x{:x}\n", counts_text(report), report.outcome.session.seed);
  return out + failures_text(report, style);
}

}  // namespace harness::compare
