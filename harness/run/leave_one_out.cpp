#include "harness/run/leave_one_out.hpp"

#include "harness/run/row_view.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>

namespace harness::run {
namespace {

constexpr std::string_view step_name = "/leave_one_out";
constexpr int name_columns = 19;
constexpr int cell_columns = 26;

std::string_view at(const results::Row& row, std::string_view axis) {
  const auto found = std::ranges::find(row.at, axis, &Coordinate::axis);
  return found == row.at.end() ? std::string_view() : std::string_view(found->text);
}

bool was_timed(const results::Row& row) { return row.naive_seconds > 0 && row.optimized_seconds > 0; }

/// The change with its interval, or why there is none.
std::string cell(const results::Row* row) {
  if (row == nullptr) return "-";
  if (!was_timed(*row)) return std::string(word_of(row->judged.verdict));
  const auto text = change_text(row->judged.ratio, row->judged.ratio_interval);
  return row->judged.verdict == Verdict::inconclusive ? text + " ?" : text;
}

template <class Wanted>
const results::Row* find_row(std::span<const results::Row> rows, const Wanted& wanted) {
  const auto found = std::ranges::find_if(rows, wanted);
  return found == rows.end() ? nullptr : &*found;
}

/// The rung's own row: of a unit that was measured, the first.
const results::Row* on_ladder(std::span<const results::Row> rows, const results::Row& of) {
  const auto folder = of.step.substr(0, of.step.size() - step_name.size());
  const auto rung = fmt::format("{}/{}", folder, at(of, "switch"));
  const auto* measured =
      find_row(rows, [&](const results::Row& row) { return row.step == rung && was_timed(row); });
  return measured != nullptr ? measured
                             : find_row(rows, [&](const results::Row& row) { return row.step == rung; });
}

}  // namespace

bool is_leave_one_out(std::string_view step) { return step.ends_with(step_name); }

std::string ladders_for(std::span<const std::string> steps, const catalogue::Catalogue& catalogue) {
  std::vector<std::string> theirs, all;
  for (const auto& ladder : catalogue.steps) {
    if (!is_leave_one_out(ladder.id)) continue;
    const auto folder = ladder.id.substr(0, ladder.id.find('/') + 1);
    all.push_back("'" + folder + "*'");
    if (std::ranges::any_of(steps, [&](const auto& step) { return step.starts_with(folder); }))
      theirs.push_back(all.back());
  }
  return join_or(theirs.empty() ? all : theirs);
}

std::string leave_one_out_table(std::span<const results::Row> rows, const Style& style) {
  std::string out;
  std::vector<std::string_view> seen;
  for (const auto& row : rows) {
    const auto name = at(row, "switch");
    if (!is_leave_one_out(row.step) || std::ranges::find(seen, name) != seen.end()) continue;
    seen.push_back(name);
    const auto end = [&](std::string_view from) {
      return cell(find_row(rows, [&](const results::Row& other) {
        return other.step == row.step && at(other, "switch") == name && at(other, "from") == from;
      }));
    };
    const auto line = fmt::format("  {:{}}{:{}}{:{}}{}", name, name_columns, cell(on_ladder(rows, row)),
                                  cell_columns, end("best"), cell_columns, end("naive"));
    out += line + "\n";
  }
  if (out.empty()) return out;
  const auto heading =
      fmt::format("LEAVE ONE OUT: WHAT A CHANGE BRINGS\n  {:{}}{:{}}{:{}}{}", "", name_columns,
                  "ON THE LADDER", cell_columns, "IN THE BEST FORM", cell_columns, "ALONE IN THE FIRST FORM");
  const auto note =
      indented("",
               "Change of the time by the switch: against the rungs below it, against the best form without "
               "it, and against the first form. Gains do not add up. A question mark means: cannot tell.",
               2, style);
  return fmt::format("\n{}\n{}{}", inked(heading, Ink::bold, style), out, note);
}

}  // namespace harness::run
