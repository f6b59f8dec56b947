#include "harness/run/table_row.hpp"

#include "harness/run/row_view.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace harness::run {
namespace {

// "  point   first side's time  change [interval]  verdict  by  ! published"
constexpr int fixed_columns = 75;  // all but the point
constexpr int narrowest_point = 15;
constexpr std::size_t published_columns = 20;
constexpr int detail_indent = 6;

/// Too narrow for one line a row: the point then stands on a line of its own.
bool narrow(const Style& style) { return style.columns < fixed_columns + narrowest_point; }

/// Too narrow for the published figure as well: it then stands below the row.
bool narrowest(const Style& style) { return style.columns < fixed_columns + 3; }

int point_columns(const Style& style) { return narrow(style) ? 2 : style.columns - fixed_columns; }

std::string_view kind_of(const Device& device) { return device.is_cuda() ? "cuda" : "cpu"; }

/// "bytes:1MiB", with the kind of device where it is shown; the device of a step that has no other point.
std::string point_of(const results::Row& row, const TableLayout& layout) {
  std::string_view point = row.name;
  point.remove_prefix(std::min(row.step.size() + 1, point.size()));
  const auto device = fmt::format("device:{}", kind_of(row.device));
  const bool names_it = point.ends_with(device);
  if (names_it) point.remove_suffix(device.size());
  if (point.ends_with('/')) point.remove_suffix(1);
  if (point.empty()) return std::string(kind_of(row.device));
  const auto end = names_it && layout.devices ? fmt::format("/{}", kind_of(row.device)) : "";
  return std::string(point) + end;
}

/// Its first `width` columns.
std::string beginning(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 2) + "..";
}

/// What decided the row and what was published, without blanks behind them.
std::string origin_of(const RowView& view, const Style& style) {
  if (view.published.empty() || narrowest(style)) return std::string(view.decided_by);
  const auto published =
      fmt::format("{} {}", view.contradicts ? '!' : ' ', beginning(view.published, published_columns - 2));
  return fmt::format("{:8} {}", view.decided_by,
                     inked(published, view.contradicts ? Ink::yellow : Ink::dim, style));
}

std::string cells(const results::Row& row, const RowView& view, const Style& style) {
  const auto percent = view.change.find(' ');  // the signs stand below each other
  const auto aligned =
      fmt::format("{:>{}}", view.change, view.change.size() + (percent < 5 ? 5 - percent : 0));
  const auto origin = origin_of(view, style);
  const auto word = fmt::format("{:{}}", view.word, origin.empty() ? 0 : 11);
  return fmt::format("{:>8}  {:22} {}{}{}", view.before, aligned, inked(word, row_ink(row), style),
                     origin.empty() ? "" : " ", origin);
}

/// The point, padded to its column or on a line of its own.
std::string point_cell(const std::string& point, const Style& style) {
  if (narrow(style))
    return fmt::format("  {}\n  ", without_middle(point, static_cast<std::size_t>(style.columns) - 2));
  const auto width = static_cast<std::size_t>(point_columns(style)) - 3;
  return fmt::format("  {:{}} ", without_middle(point, width), width);
}

constexpr int before_change = 10;  // the first side's time

/// Text below the column of changes, where a row has more to say.
std::string below_change(const std::string& text, Ink ink, const Style& style) {
  auto lines = indented("", text, point_columns(style) + before_change, style);
  lines.pop_back();
  return inked(lines, ink, style) + "\n";
}

/// A line, as far as it goes; empty where nothing was published.
std::string published_below(const RowView& view, const Style& style) {
  if (view.published.empty()) return {};
  const auto line = fmt::format("{}published: {}", view.contradicts ? "! " : "", view.published);
  const auto room = static_cast<std::size_t>(style.columns - point_columns(style) - before_change);
  return below_change(beginning(line, room), view.contradicts ? Ink::yellow : Ink::dim, style);
}

/// Why there are no times, in as many lines as it takes.
std::string untimed_cells(const results::Row& row, const RowView& view, const Style& style) {
  constexpr int indent = 10;  // as far as the changes
  const auto column = point_columns(style) + indent;
  const auto lines = wrap(fmt::format("{}: {}", view.word, view.note), style.columns - column);
  return inked(fmt::format("{:{}}{}", "", indent, fmt::join(lines, fmt::format("\n{:{}}", "", column))),
               verdict_ink(row.judged.verdict), style);
}

/// Below a row: what its line leaves out.
std::string details_of(const results::Row& row, const RowView& view, const Style& style) {
  std::vector<std::string> parts = {row.name};
  const auto expected = expected_word(row);
  parts.push_back(fmt::format("published: {}, expected: {}", published_text(row),
                              expected.empty() ? "it depends" : expected));
  if (!view.change.empty()) {
    parts.push_back(fmt::format("{} -> {}; {} {}{}", view.before, view.after, row.rounds,
                                row.rounds == 1 ? "round" : "rounds",
                                row.judged.method == CiMethod::widened_range && is_decided(row.judged.verdict)
                                    ? "; interval: their range, widened"
                                    : ""));
    if (row.judged.ratio_interval)
      parts.back() += "; could have shown a change of " + effect_text(row.judged.smallest_effect);
  }
  parts.push_back(view.note);
  if (row.judged.verdict == Verdict::inconclusive && view.sentence.empty())
    if (const auto evidence = evidence_text(row); !evidence.empty())
      parts.push_back("cannot tell by time; " + evidence);
  parts.push_back(figures_text(row));
  std::string out;
  for (const auto& text : parts) {
    if (text.empty()) continue;
    const auto below = indented("", text, detail_indent, style);
    out += inked(below.substr(0, below.size() - 1), Ink::dim, style) + "\n";
  }
  return out;
}

bool in_bytes(std::string_view unit) { return unit == "B" || unit.starts_with("bytes"); }

std::string value_text(double value, std::string_view unit) {
  if (unit == "s") return time_text(value);
  return in_bytes(unit) ? memory_text(value) : plain_text(value);
}

/// Bytes and seconds say their unit in the value; "calls" and "share" are plain without one.
std::string unit_text(std::string_view unit) {
  const bool said = unit == "s" || in_bytes(unit) || unit == "calls" || unit == "share" || unit == "faults" ||
                    unit == "instructions" || unit.empty();
  return said ? std::string() : fmt::format(" {}", unit);
}

std::string changed_text(const Figure& figure) {
  auto text = fmt::format("{} {} -> {}{}", figure.name, value_text(figure.naive, figure.unit),
                          value_text(figure.optimized, figure.unit), unit_text(figure.unit));
  // A hundredfold shows in the values: an idle rank against a busy one.
  if (figure.unit == "s" && figure.naive > 0 && figure.optimized < 100 * figure.naive)
    text += fmt::format(" ({} %)", percent_text(figure.optimized / figure.naive));
  return text;
}

/// The least time that the form's work could take on this machine: what a workload calls "floor".
bool is_floor(const Figure& figure) {
  return figure.name == "floor" && figure.unit == "s" && figure.naive > 0 && figure.optimized > 0;
}

/// A row without a round has no times to hold against it.
std::string floor_text(const Figure& figure, const results::Row& row) {
  if (row.naive_seconds == 0) return "floor " + time_text(figure.optimized);
  return fmt::format("floor {}: {} -> {} times the floor", time_text(figure.optimized),
                     plain_text(row.naive_seconds / figure.naive),
                     plain_text(row.optimized_seconds / figure.optimized));
}

std::string step_heading(const results::Row& row, const RowView& view, const Style& style) {
  constexpr int below = 4;
  if (row.step.size() + 2 + view.sides.size() <= static_cast<std::size_t>(style.columns))
    return fmt::format("{}: {}\n", inked(row.step, Ink::bold, style), view.sides);
  return fmt::format("{}:\n{}", inked(row.step, Ink::bold, style), indented("", view.sides, below, style));
}

}  // namespace

std::string table_row(const results::Row& row, const results::Row* above, const TableLayout& layout) {
  const auto& style = layout.style;
  const auto view = view_of(row);
  std::string out;
  if (above == nullptr || above->step != row.step) out = step_heading(row, view, style);
  out += point_cell(point_of(row, layout), style);
  const bool timed = !view.change.empty();
  out += (timed ? cells(row, view, style) : untimed_cells(row, view, style)) + "\n";
  if (!view.sentence.empty()) out += below_change(view.sentence, Ink::plain, style);
  if (timed && narrowest(style)) out += published_below(view, style);
  return layout.details ? out + details_of(row, view, style) : out;
}

std::string judged_text(const results::Row& row, double value) {
  if (row.measured.statistic == Statistic::tail) return fmt::format("{:.2f} x", value);
  if (row.measured.statistic == Statistic::median || row.measured.figures.empty()) return time_text(value);
  return judged_text(value, row.measured.figures.front().unit);
}

std::string judged_text(double value, std::string_view unit) {
  if (unit == instructions_unit) return counted_text(value);
  return value_text(value, unit) + unit_text(unit);
}

std::string figures_text(const results::Row& row) {
  std::vector<std::string> changed;
  for (const auto& figure : row.measured.figures) {
    if (is_floor(figure)) {
      changed.push_back(floor_text(figure, row));
      continue;
    }
    const auto value = value_text(figure.naive, figure.unit);
    if (value != value_text(figure.optimized, figure.unit)) changed.push_back(changed_text(figure));
  }
  return fmt::format("{}", fmt::join(changed, "; "));
}

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

std::string paragraph(const SkippedAlike& group, std::span<const results::Row> rows, const Style& style) {
  std::vector<std::string_view> told;
  std::string steps;
  for (const auto& row : rows) {
    if (!is_skipped_for(row, group.reason) || std::ranges::find(told, row.step) != told.end()) continue;
    told.push_back(row.step);
    steps += (steps.empty() ? "" : ", ") + step_text(row.step, group.reason, rows);
  }
  const auto lines = fmt::format("{}", fmt::join(wrap(group.text(), style.columns), "\n"));
  return fmt::format("\n{}\n{}", inked(lines, Ink::bold, style), indented("", steps, 2, style));
}

}  // namespace

bool skipped_like_another(const results::Row& row, std::span<const results::Row> rows) {
  return row.judged.verdict == Verdict::skipped &&
         std::ranges::count_if(
             rows, [&](const results::Row& other) { return is_skipped_for(other, row.reason); }) > 1;
}

std::string skipped_text(std::span<const results::Row> rows, const Style& style) {
  std::vector<std::string> reasons;
  for (const auto& row : rows)
    if (row.judged.verdict == Verdict::skipped) reasons.push_back(row.reason);
  std::string out;
  for (const auto& group : skipped_alike(reasons)) out += paragraph(group, rows, style);
  return out;
}

namespace {

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

/// Heading of the table of rows; `one_form`: all of them are benchmarks, which have no second side.
std::string table_heading(const Style& style, bool one_form) {
  const auto* const what = one_form ? "BENCHMARK" : "STEP: FROM -> TO";
  const auto name = narrow(style) ? "  " : fmt::format("{:{}}", what, point_columns(style));
  if (one_form)
    return inked(fmt::format("{}{:>8}  {:22} {}", name, "TIME", "", "VERDICT"), Ink::bold, style) + "\n";
  const auto heads = fmt::format("{}{:>8}  {:22} {:11} BY", name, "FROM", "CHANGE [INTERVAL]", "VERDICT");
  return inked(narrowest(style) ? heads : heads + "         PUBLISHED", Ink::bold, style) + "\n";
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
                          side_word(form.form), time_text(form.seconds_on), time_text(form.seconds_before),
                          time_text(form.seconds_after));
  if (off <= 0) return text;
  text += fmt::format(": {} %", percent_text(form.seconds_on / off));
  const auto scatter = std::abs(form.seconds_after - form.seconds_before);
  return form.seconds_on - off > scatter
             ? text
             : text + ", less than the difference between those two, so the cost is unknown";
}

std::string profile_heading(const Style& style) {
  const auto heading = fmt::format("  {:21}{:>9} {:>9} {:>9}  {}", "PROFILED, PER RUN", "FROM", "TO",
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
