#include "harness/run/results_table.hpp"

#include "harness/run/row_view.hpp"
#include "harness/run/table_row.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace harness::run {
namespace {

bool is_skipped_for(const results::Row& row, const std::string& reason) {
  return row.judged.verdict == Verdict::skipped && row.reason == reason;
}

/// "sync/item_every_step 1 of 2": as many of the step's rows as were skipped, where others were not.
std::string step_text(const std::string& step, const std::string& reason,
                      std::span<const results::Row> rows) {
  const auto all = std::ranges::count(rows, step, &results::Row::step);
  const auto skipped = std::ranges::count_if(
      rows, [&](const results::Row& row) { return row.step == step && is_skipped_for(row, reason); });
  return skipped == all ? fmt::format("{} {}", step, skipped)
                        : fmt::format("{} {} of {}", step, skipped, all);
}

std::string paragraph(const std::string& reason, std::span<const results::Row> rows, const Style& style) {
  std::vector<std::string_view> told;
  std::string steps;
  std::ptrdiff_t count = 0;
  for (const auto& row : rows) {
    if (!is_skipped_for(row, reason)) continue;
    ++count;
    if (std::ranges::find(told, row.step) != told.end()) continue;
    told.push_back(row.step);
    steps += (steps.empty() ? "" : ", ") + step_text(row.step, reason, rows);
  }
  const auto said = fmt::format("{} rows skipped: {}", count, reason);
  const auto lines = fmt::format("{}", fmt::join(wrap(said, style.columns), "\n"));
  return fmt::format("\n{}\n{}", inked(lines, Ink::bold, style), indented("", steps, 2, style));
}

/// True where another row was skipped for the same reason.
bool skipped_like_another(const results::Row& row, std::span<const results::Row> rows) {
  return row.judged.verdict == Verdict::skipped &&
         std::ranges::count_if(
             rows, [&](const results::Row& other) { return is_skipped_for(other, row.reason); }) > 1;
}

std::string skipped_text(std::span<const results::Row> rows, const Style& style) {
  std::vector<std::string_view> told;
  std::string out;
  for (const auto& row : rows) {
    if (std::ranges::find(told, row.reason) != told.end() || !skipped_like_another(row, rows)) continue;
    told.push_back(row.reason);
    out += paragraph(row.reason, rows, style);
  }
  return out;
}

/// True if a reader must know where a row ran.
bool on_both_kinds(std::span<const results::Row> rows) {
  const auto runs_on = [&](Device::Kind kind) {
    return std::ranges::any_of(rows, [kind](const results::Row& row) {
      return row.device.kind == kind && row.judged.verdict != Verdict::skipped;
    });
  };
  return runs_on(Device::Kind::cpu) && runs_on(Device::Kind::cuda);
}

std::string time_or_plain(double value, std::string_view unit) {
  return unit == "s" ? time_text(value) : plain_text(value);
}

/// A measured 0 is a number here; time_text would call it "nothing was timed".
std::string cell(const std::optional<double>& value, std::string_view unit) {
  if (!value) return "-";
  return *value == 0 ? "0" : time_or_plain(*value, unit);
}

std::string change_of(const std::optional<double>& before, const std::optional<double>& after) {
  if (!before || !after) return {};
  if (*before == *after) return "0 %";
  return *before > 0 ? percent_text(*after / *before) + " %" : std::string();
}

/// "50.3 -> 7 s (-86.1 %), A30, ...".
std::string published_text(const results::ProfileFigure& figure) {
  if (!figure.published) return {};
  const auto& [before, after, where] = *figure.published;
  const auto unit = figure.unit == "s" ? " s" : "";
  if (before == 0 && after) return fmt::format("{:g}{} after; {}", *after, unit, where);
  if (!after) return fmt::format("{:g}{} before; {}", before, unit, where);
  return fmt::format("{:g} -> {:g}{} ({}); {}", before, *after, unit, change_of(before, after), where);
}

std::string figure_row(const results::ProfileFigure& figure, const Device& device, const Style& style) {
  const bool measured = figure.naive || figure.optimized;
  const auto values =
      measured
          ? fmt::format("{:>9} {:>9} {:>9}", cell(figure.naive, figure.unit),
                        cell(figure.optimized, figure.unit), change_of(figure.naive, figure.optimized))
          : fmt::format("{:>29}", device.is_cuda() ? "no device work recorded" : "no device: not measured");
  const auto lead = fmt::format("  {:21}{}  ", figure.name, values);
  const auto published = published_text(figure);
  if (published.empty()) return lead.substr(0, lead.find_last_not_of(' ') + 1) + "\n";
  return indented(lead, published, static_cast<int>(lead.size()), style);
}

}  // namespace

std::string results_table(std::span<const results::Row> rows, const Style& style, bool details) {
  const TableLayout layout{.style = style, .details = details, .devices = on_both_kinds(rows)};
  std::string out;
  const results::Row* above = nullptr;
  for (const auto& row : rows) {
    if (skipped_like_another(row, rows)) continue;
    if (out.empty()) out = table_heading(style, std::ranges::all_of(rows, has_one_form));
    out += table_row(row, above, layout);
    above = &row;
  }
  return out + skipped_text(rows, style);
}

std::string profiler_cost(const results::FormProfile& form) {
  const auto off = form.seconds_off();
  auto text = fmt::format("{}: {} a run with the profiler on; without it {} before and {} after",
                          to_string(form.form), time_text(form.seconds_on), time_text(form.seconds_before),
                          time_text(form.seconds_after));
  if (off <= 0) return text;
  text += fmt::format(": {} %", percent_text(form.seconds_on / off));
  const auto scatter = std::abs(form.seconds_after - form.seconds_before);
  return form.seconds_on - off > scatter
             ? text
             : text + ", less than the difference between those two, so the cost is unknown";
}

std::string profile_heading(const Style& style) {
  const auto heading = fmt::format("  {:21}{:>9} {:>9} {:>9}  {}", "PROFILED, PER RUN", "BEFORE", "AFTER",
                                   "CHANGE", "PUBLISHED, OVER THE WHOLE RUN");
  const auto meaning = indented("",
                                "Each row ran under the profiler in a process of its own. These times "
                                "include the profiler's cost; verdicts do not rest on them.",
                                0, style);
  return fmt::format("\n{}{}\n", meaning, inked(heading, Ink::bold, style));
}

std::string profile_rows(const results::Row& row, const Style& style) {
  auto out = fmt::format("\n{}\n", inked(row.name, Ink::bold, style));
  if (!row.profile->reason.empty()) return out + indented("  not profiled:", row.profile->reason, 16, style);
  for (const auto& figure : row.profile->figures) out += figure_row(figure, row.device, style);
  for (const auto& form : row.profile->forms) {
    const auto cost = indented("", profiler_cost(form), 6, style);
    out += inked(cost.substr(0, cost.size() - 1), Ink::dim, style) + "\n";
  }
  return out;
}

}  // namespace harness::run
