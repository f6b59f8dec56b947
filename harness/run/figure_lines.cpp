#include "harness/run/table_row.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <string_view>
#include <vector>

namespace harness::run {
namespace {

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

}  // namespace

std::string judged_text(const results::Row& row, double value) {
  if (row.measured.statistic == Statistic::tail) return fmt::format("{:.2f} x", value);
  if (row.measured.statistic == Statistic::median || row.measured.figures.empty()) return time_text(value);
  const auto& unit = row.measured.figures.front().unit;
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

}  // namespace harness::run
