// The head of the report: title, verdict, findings, steps.
#include "harness/trace/diagnosis_text.hpp"

#include "harness/catalogue/in_python.hpp"
#include "harness/results/stand_in.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/text.hpp"
#include "harness/trace/device_time.hpp"
#include "harness/trace/foreign.hpp"
#include "harness/trace/intern.hpp"
#include "harness/trace/judged_spans.hpp"
#include "harness/trace/trace_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <sstream>

namespace harness::trace {
namespace {

Ink ink_of(Severity severity) {
  return severity == Severity::high ? Ink::red : severity == Severity::medium ? Ink::yellow : Ink::plain;
}

/// One line per use of the device's time that is worth one, with a bar.
std::string shares_bars(const Diagnosis& diagnosis, const Style& style) {
  constexpr int beside = 45, shortest = 10, longest = 40;
  const double bar = std::clamp(style.columns - beside, shortest, longest);
  const double steps = static_cast<double>(std::max<std::int64_t>(diagnosis.judged_steps, 1));
  std::string out;
  for (std::size_t i = 0; i < use_count; ++i) {
    const auto use = static_cast<Use>(i);
    const double share = diagnosis.shares.share(use);
    if (share < least_shown) continue;
    const auto marks = static_cast<std::size_t>(std::lround(share * bar));
    out +=
        fmt::format("  {:24}{:>7}{:>10}{}{}\n", to_string(use), share_text(share),
                    us_text(diagnosis.shares[use] / steps), marks > 0 ? "  " : "", std::string(marks, '#'));
  }
  return out;
}

std::string one_finding(const Finding& finding, const Diagnosis& diagnosis, const Style& style) {
  const double steps = static_cast<double>(std::max<std::int64_t>(diagnosis.judged_steps, 1));
  const double window = diagnosis.shares.window_us;
  std::string saves;
  if (finding.saves_us > 0)
    saves = fmt::format("saves at most {}{} ({})", us_text(finding.saves_us / steps),
                        diagnosis.judged_steps > 0 ? " a step" : "",
                        share_text(window > 0 ? finding.saves_us / window : 0));
  constexpr std::size_t id_columns = 24, text_column = 10;
  const auto end = text_column + std::max(finding.id.size(), id_columns) + saves.size();
  const bool beside = !saves.empty() && end <= static_cast<std::size_t>(style.columns);
  auto out = "  " + inked(fmt::format("{:6}", to_string(finding.severity)), ink_of(finding.severity), style) +
             "  " +
             inked(beside ? fmt::format("{:{}}", finding.id, id_columns) : finding.id, Ink::bold, style);
  if (!beside && !saves.empty()) out += "\n" + std::string(text_column, ' ');
  out += saves + "\n";
  out += flowing("", finding.message + ".", 10, style);
  out += python_advice(finding, style);
  if (finding.steps.empty())
    return out + inked("          no step in this suite covers it\n", Ink::dim, style);
  const auto names = fmt::format("{}", fmt::join(finding.steps, ", "));
  return out + inked(flowing("          tuneproof explain", names, 28, style), Ink::dim, style);
}

/// The whole part, since a line without its loop cannot be typed; without a remark that does not fit.
std::string laid_out(const std::string& part, const Style& style) {
  constexpr std::size_t column = 12;
  std::istringstream lines(part);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    if (column + line.size() > static_cast<std::size_t>(style.columns))
      line.resize(std::min(line.find("  # "), line.size()));
    text += (line.empty() ? line : std::string(column, ' ') + line) + "\n";
  }
  return text;
}

struct ReportPart {
  std::string_view name;
  std::string (*text)(const Diagnosis&, const Showing&, const Style&);
};

/// A part that shows no rows of which there may be too many.
template <std::string (*text)(const Diagnosis&, const Style&)>
std::string whole_section(const Diagnosis& diagnosis, const Showing&, const Style& style) {
  return text(diagnosis, style);
}

std::string found_section(const Diagnosis& diagnosis, const Style& style) {
  return findings_section(diagnosis.findings, diagnosis, style);
}

/// Which steps the mean leaves out, and why.
std::string_view edges_text(const std::vector<StepDiagnosis>& steps) {
  if (steps.empty() || !steps.back().edge) return "";
  return steps.front().edge ? "; the first and the last hold the profiler's start and stop"
                            : "; the program ended in the last, which is left out";
}

/// Where no GPU took part.
std::string simulated_line(const Diagnosis& diagnosis, const Style& style) {
  return diagnosis.simulated ? inked(simulated_warning, Ink::red, style) + "\n" : std::string();
}

/// What the judged time went into.
std::string time_section(const Diagnosis& diagnosis, const Style& style) {
  if (!diagnosis.judged() || !can_be_judged(diagnosis.shares)) return {};
  const auto whose =
      diagnosis.judged_steps > 0
          ? fmt::format("{}{}",
                        diagnosis.judged_steps == 1 ? std::string("of one step")
                                                    : fmt::format("mean of {} steps", diagnosis.judged_steps),
                        edges_text(diagnosis.steps))
      : diagnosis.phase.empty()
          ? std::string(diagnosis.host_judged ? "from the first to the last event"
                                              : "from its first to its last piece of work")
          : fmt::format("while the host is in {}", diagnosis.phase);
  const auto heading =
      fmt::format("The {} time ({})", diagnosis.host_judged ? "thread's" : "device's", whose);
  return "\n" + inked(flowing("", heading, 2, style), Ink::dim, style) + shares_bars(diagnosis, style);
}

constexpr ReportPart all_parts[] = {{"verdict", whole_section<verdict_section>},
                                    {"time", whole_section<time_section>},
                                    {"findings", whole_section<found_section>},
                                    {"steps", whole_section<steps_section>},
                                    {"device", whole_section<device_section>},
                                    {"host", host_section},
                                    {"phases", phases_section},
                                    {"kernels", kernels_section},
                                    {"operators", ops_section}};

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
  for (const auto& change : std::span(changes).first(std::min(changes.size(), top))) {
    const char sign = change.difference() > 0 ? '+' : '-';
    table.add({change.name, written(change.before), written(change.after),
               fmt::format("{}{}", sign, written(std::abs(change.difference()))), change_word(change)});
  }
  return fmt::format("\n{}", table.text(style));
}

std::string joined(const std::vector<std::string>& words) {
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
}

std::string file_name(const std::filesystem::path& file) { return printable(file.filename().string()); }

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
  std::vector<std::string> groups;
  for (const auto& group : summary.groups) groups.push_back(printable(group.members));
  return "Ranks wait for each other within their process groups: " + joined(groups) + ".";
}

}  // namespace

std::string python_advice(const Finding& finding, const Style& style) {
  // The steps of these show the price of what the trace does already.
  if (is_any(finding.id, {"recomputation", "autocast_without_unit"})) return {};
  for (const auto& step : finding.steps) {
    const auto python = catalogue::in_python(step);
    if (python && !python->after.empty())
      return fmt::format("          in Python, as in {}:\n", step) + laid_out(python->after, style);
  }
  return {};
}

std::string title_text(const Diagnosis& diagnosis, const Style& style) {
  std::string about = count_text(diagnosis.events) + " events";
  if (!diagnosis.properties.name.empty()) about = diagnosis.properties.name + ", " + about;
  if (diagnosis.rank != absent) about += fmt::format(", rank {}", diagnosis.rank);
  if (diagnosis.world_size > 1) about += fmt::format(" of {}", diagnosis.world_size);
  if (diagnosis.steps.size() == 1) about += ", " + diagnosis.steps.front().name;
  if (diagnosis.steps.size() > 1)
    about += fmt::format(", {} to {}", diagnosis.steps.front().name, diagnosis.steps.back().name);
  about += diagnosis.shapes_recorded ? ", with shapes" : ", without shapes";
  const auto warning =
      results::is_stand_in(diagnosis.properties.name) ? results::warning_line(style) : std::string();
  auto text = simulated_line(diagnosis, style) + warning +
              inked(file_name(diagnosis.file), Ink::bold, style) + "\n" + flowing("", about, 2, style);
  for (const auto& remark : diagnosis.remarks) text += flowing("  Remark:", remark + ".", 10, style);
  return text;
}

std::string verdict_section(const Diagnosis& diagnosis, const Style& style) {
  const auto& verdict = diagnosis.verdict;
  std::string out = section_heading(fmt::format("VERDICT: {}", to_string(verdict.regime)), style);
  out += flowing("", verdict.evidence + ".", 2, style);
  if (const auto hinge = deciding_step_text(diagnosis); !hinge.empty()) out += flowing("", hinge, 2, style);
  if (const auto outside = outside_text(diagnosis); !outside.empty())
    out += flowing("", outside + ".", 2, style);
  if (!verdict.would_change.empty())
    out += flowing("  What would change it:", verdict.would_change + ".", 24, style);
  return out;
}

std::string findings_section(std::span<const Finding> findings, const Diagnosis& diagnosis,
                             const Style& style) {
  std::string out = section_heading("WHAT WOULD PAY", style);
  if (findings.empty())
    out += diagnosis.judged()
               ? "  None of the findings that diagnose looks for takes 2 % of the time or more.\n"
               : "  Without device events there are no findings.\n";
  for (const auto& finding : findings) out += one_finding(finding, diagnosis, style);
  return out;
}

std::string steps_section(const Diagnosis& diagnosis, const Style& style) {
  const auto heading = section_heading("STEPS", style);
  if (diagnosis.steps.empty())
    return heading +
           flowing("",
                   "The trace marks no steps: the profiler ran without a schedule, or nobody called step().",
                   2, style);
  if (!diagnosis.judged()) {
    Columns plain({"step", "time"});
    for (const auto& step : diagnosis.steps) plain.add({step.name, us_text(step.us)});
    return heading + plain.text(style);
  }
  Columns table({"step", "time", "<verdict", "working", "input", "overhead", "comm.", "<"});
  for (const auto& step : diagnosis.steps) {
    const auto balance = balance_of(step.shares);
    const double working = balance.compute + balance.memory + step.shares.share(Use::unknown_work);
    // Of times that cannot be judged no share is known.
    const bool known = can_be_judged(step.shares);
    const auto part = [&](double share) { return known ? share_text(share) : std::string("-"); };
    table.add({step.name, us_text(step.us), std::string(to_string(step.judgement.regime)), part(working),
               part(balance.input), part(balance.overhead), part(balance.communication),
               step.cut_off ? "(cut off)"
               : step.edge  ? "(start or end)"
                            : ""});
  }
  return heading + table.text(style);
}

std::vector<std::string> report_parts() {
  std::vector<std::string> names;
  for (const auto& part : all_parts) names.emplace_back(part.name);
  return names;
}

std::string diagnosis_text(const Diagnosis& diagnosis, const Showing& showing, const Style& style) {
  auto text = title_text(diagnosis, style);
  for (const auto& part : all_parts)
    if (showing.only.empty() || std::ranges::find(showing.only, part.name) != showing.only.end())
      text += part.text(diagnosis, showing, style);
  return text;
}

std::string ranks_section(const RankSummary& summary, const RegimeVerdict& verdict, const Style& style) {
  Columns table({"rank", "step", "working", "communicating alone", "waiting", "<"});
  for (const auto& rank : summary.ranks)
    table.add({rank.rank == absent ? file_name(rank.file) : std::to_string(rank.rank), us_text(rank.step_us),
               us_text(rank.working_us), us_text(rank.communicating_us), us_text(rank.waiting_us),
               rank.straggler ? "straggler" : ""});
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
             inked(file_name(after.file) + " against " + file_name(before.file), Ink::bold, style) + "\n";
  if (!changes.differ.empty()) out += flowing("  Remark:", printable(changes.differ) + ".", 10, style);
  for (const auto& remark : before.remarks) out += flowing("  Remark, before:", remark + ".", 18, style);
  for (const auto& remark : after.remarks) out += flowing("  Remark, after:", remark + ".", 17, style);
  out += fmt::format("  {} -> {}\n", to_string(before.verdict.regime), to_string(after.verdict.regime));
  const double then = step_us(before), now = step_us(after);
  if (then > 0 && now > 0)
    out += fmt::format("  median step {} -> {} ({:+.1f} %)\n", us_text(then), us_text(now),
                       100 * (now / then - 1));
  out += flowing("  before:", before.verdict.evidence + ".", 11, style);
  out += flowing("  after:", after.verdict.evidence + ".", 11, style);
  out += flowing("  findings gone:", joined(changes.findings_gone), 18, style);
  out += flowing("  findings new:", joined(changes.findings_new), 18, style);
  out += section_heading(
      changes.per_step ? "WHAT VANISHED AND WHAT GREW, per step" : "WHAT VANISHED AND WHAT GREW", style);
  out += changes_table(after.host_judged ? "the thread's time" : "the device's time", changes.uses, us_text,
                       use_count, style)
             .substr(changes.uses.empty() ? 0 : 1);
  out += changes_table("counts", changes.counts, digits_text, showing.top, style);
  out += changes_table("operators, Self CPU", changes.ops, us_text, showing.top, style);
  out += changes_table("kernels", changes.kernels, us_text, showing.top, style);
  return out;
}

}  // namespace harness::trace
