// Several traces: ranks beside each other, and one trace against another.
#include "harness/support/quantity.hpp"
#include "harness/support/shown.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/text.hpp"
#include "harness/trace/diagnosis_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace harness::trace {
namespace {

/// "-29 %", "gone", "new".
std::string change_word(const TraceChange& change) {
  if (change.after == 0) return "gone";
  if (change.before == 0) return "new";
  return fmt::format("{:+.0f} %", 100 * (change.after / change.before - 1));
}

std::string changes_table(const std::string& title, const std::vector<TraceChange>& changes,
                          const std::function<std::string(double)>& written, std::size_t top,
                          const Style& style) {
  if (changes.empty()) return "";
  Columns table({title, "before", "after", "difference", "change"});
  for (std::size_t i = 0; i < std::min(changes.size(), top); ++i) {
    const auto& change = changes[i];
    const char sign = change.difference() > 0 ? '+' : '-';
    table.add({change.name, written(change.before), written(change.after),
               fmt::format("{}{}", sign, written(std::abs(change.difference()))), change_word(change)});
  }
  return fmt::format("\n{}", table.text(style));
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text.empty() ? "none" : text;
}

std::string file_name(const Diagnosis& diagnosis) {
  return printable(std::filesystem::path(diagnosis.file).filename().string());
}

/// True if all ranks meet in one group.
bool whole(const RankSummary& summary) {
  return std::ranges::any_of(
      summary.groups, [&](const RankGroup& group) { return group.ranks.size() == summary.ranks.size(); });
}

/// Which ranks wait for each other; "" where all do.
std::string compared_text(const RankSummary& summary) {
  if (whole(summary)) return "";
  if (summary.groups.empty())
    return "No two of these ranks can be compared: they meet in no collective of which each trace shows its "
           "part, or some have steps and others none.";
  std::string groups;
  for (const auto& group : summary.groups) groups += (groups.empty() ? "" : ", ") + printable(group.members);
  return "Ranks wait for each other within their process groups: " + groups + ".";
}

}  // namespace

std::string ranks_section(const RankSummary& summary, const RegimeVerdict& verdict, const Style& style) {
  Columns table({"rank", "step", "working", "communicating alone", "waiting", "<"});
  for (const auto& rank : summary.ranks)
    table.add({rank.rank == absent ? printable(std::filesystem::path(rank.file).filename().string())
                                   : std::to_string(rank.rank),
               us_text(rank.step_us), us_text(rank.working_us), us_text(rank.communicating_us),
               us_text(rank.waiting_us), rank.straggler ? "straggler" : ""});
  auto title = fmt::format("RANKS: {}", summary.ranks.size());
  if (!summary.groups.empty())
    title += fmt::format(", the slowest works {} longer than the mean{}", share_text(summary.imbalance),
                         whole(summary) ? "" : " of its process group");
  auto out = inked(title, Ink::bold, style) + "\n" + table.text(style);
  if (const auto who = compared_text(summary); !who.empty()) out += flowing("", who, 2, style);
  out += flowing("", fmt::format("Over all: {}, {}.", to_string(verdict.regime), verdict.evidence), 2, style);
  if (summary.groups.empty()) return out;
  out += fmt::format(
      "  Mean rank: {} working, {} communicating alone, {} waiting in collectives for others.\n",
      us_text(summary.mean_working_us), us_text(summary.mean_communicating_us), us_text(summary.waiting_us));
  return out;
}

std::string changes_text(const TraceChanges& changes, const Diagnosis& after, const Diagnosis& before,
                         const Showing& showing, const Style& style) {
  auto out = simulated_line(after, style) +
             inked(file_name(after) + " against " + file_name(before), Ink::bold, style) + "\n";
  if (!changes.differ.empty()) out += flowing("  Remark:", printable(changes.differ) + ".", 10, style);
  out += fmt::format("  {} -> {}\n", to_string(changes.before.regime), to_string(changes.after.regime));
  if (changes.step_before_us > 0 && changes.step_after_us > 0)
    out += fmt::format("  median step {} -> {} ({:+.1f} %)\n", us_text(changes.step_before_us),
                       us_text(changes.step_after_us),
                       100 * (changes.step_after_us / changes.step_before_us - 1));
  out += flowing("  before:", changes.before.evidence + ".", 11, style);
  out += flowing("  after:", changes.after.evidence + ".", 11, style);
  out += flowing("  findings gone:", joined(changes.findings_gone), 18, style);
  out += flowing("  findings new:", joined(changes.findings_new), 18, style);
  const auto counted = [](double count) { return digits_text(count); };
  out += section_heading(
      changes.per_step ? "WHAT VANISHED AND WHAT GREW, per step" : "WHAT VANISHED AND WHAT GREW", style);
  out += changes_table(after.host_judged ? "the thread's time" : "the device's time", changes.uses, us_text,
                       use_count, style)
             .substr(changes.uses.empty() ? 0 : 1);
  out += changes_table("counts", changes.counts, counted, showing.top, style);
  out += changes_table("operators, Self CPU", changes.ops, us_text, showing.top, style);
  out += changes_table("kernels", changes.kernels, us_text, showing.top, style);
  return out;
}

}  // namespace harness::trace
