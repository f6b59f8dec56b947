#include "harness/run/results_table.hpp"

#include "harness/run/table.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

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

}  // namespace

std::string results_table(std::span<const results::Row> rows, const Style& style, bool details) {
  const TableLook look{.style = style, .details = details, .devices = on_both_kinds(rows)};
  std::string out;
  const results::Row* above = nullptr;
  for (const auto& row : rows) {
    if (skipped_like_another(row, rows)) continue;
    if (out.empty()) out = table_heading(style);
    out += table_row(row, above, look);
    above = &row;
  }
  return out + skipped_text(rows, style);
}

}  // namespace harness::run
