#include "harness/report/number.hpp"
#include "harness/report/table.hpp"
#include "harness/report/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace harness {
namespace {

/// One figure over all rows; `cells` has an entry per row.
struct Column {
  std::string name;
  std::string unit;
  std::vector<std::string> cells;

  /// As wide as its cells, or as a heading in several lines wants.
  std::size_t width() const {
    constexpr std::size_t heading = 12;
    auto widest = std::max(heading, unit.size());
    for (const auto& cell : cells) widest = std::max(widest, cell.size());
    for (const auto& line : wrap(name, static_cast<int>(widest))) widest = std::max(widest, line.size());
    return widest;
  }
};

bool in_bytes(std::string_view unit) { return unit == "B" || unit.starts_with("bytes"); }

std::string value_text(double value, std::string_view unit) {
  if (unit == "s") return time_text(value);
  return in_bytes(unit) ? memory_text(value) : plain_text(value);
}

std::string cell_text(const Figure& figure) {
  const auto naive = value_text(figure.naive, figure.unit);
  const auto optimized = value_text(figure.optimized, figure.unit);
  if (naive == optimized) return naive + " both";
  auto text = naive + " -> " + optimized;
  if (figure.unit == "s" && figure.naive > 0)
    text += fmt::format(" ({} %)", percent_text(figure.optimized / figure.naive));
  return text;
}

std::vector<Column> columns_of(std::span<const Row* const> rows) {
  std::vector<Column> columns;
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (const auto& figure : rows[r]->measured.figures) {
      auto column = std::ranges::find_if(
          columns, [&](const Column& c) { return c.name == figure.name && c.unit == figure.unit; });
      if (column == columns.end()) {
        columns.push_back({figure.name, figure.unit, std::vector<std::string>(rows.size(), "-")});
        column = columns.end() - 1;
      }
      column->cells[r] = cell_text(figure);
    }
  // Bytes and seconds say their unit in each cell.
  for (auto& column : columns)
    if (column.unit == "B" || column.unit == "bytes" || column.unit == "s") column.unit.clear();
  return columns;
}

/// What all row names end with, from "/device:" on; empty where they differ.
std::string shared_device(std::span<const Row* const> rows) {
  const auto& first = rows.front()->name;
  const auto at = first.rfind("/device:");
  if (at == first.npos) return {};
  auto suffix = first.substr(at);
  const bool shared = std::ranges::all_of(
      rows, [&](const Row* row) { return std::string_view(row->name).ends_with(suffix); });
  return shared ? suffix : std::string();
}

std::string line_of(std::string_view label, std::size_t label_width, std::span<const Column> columns,
                    auto&& cell_of) {
  auto line = fmt::format("{:{}}", label, label_width);
  for (const auto& column : columns) line += fmt::format("  {:{}}", cell_of(column), column.width());
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

/// The names, wrapped to their columns.
std::string headings(std::size_t label_width, std::span<const Column> columns, const Style& style) {
  std::string out;
  for (std::size_t i = 0;; ++i) {
    bool any = false;
    const auto text = line_of("", label_width, columns, [&](const Column& c) {
      const auto lines = wrap(c.name, static_cast<int>(c.width()));
      any = any || i < lines.size();
      return i < lines.size() ? lines[i] : std::string();
    });
    if (!any) return out;
    out += inked(text, Ink::bold, style) + "\n";
  }
}

std::string one_table(std::span<const std::string> labels, std::span<const Column> columns,
                      const Style& style) {
  std::size_t width = 0;
  for (const auto& label : labels) width = std::max(width, label.size());
  auto out = headings(width, columns, style);
  if (std::ranges::any_of(columns, [](const Column& c) { return !c.unit.empty(); }))
    out += inked(line_of("", width, columns, [](const Column& c) { return c.unit; }), Ink::dim, style) + "\n";
  for (std::size_t r = 0; r < labels.size(); ++r) {
    if (std::ranges::all_of(columns, [&](const Column& c) { return c.cells[r] == "-"; })) continue;
    out += line_of(labels[r], width, columns, [&](const Column& c) { return c.cells[r]; }) + "\n";
  }
  return out;
}

/// How many of the columns fit beside the labels; at least one.
std::size_t fitting(std::span<const Column> columns, std::size_t label_width, const Style& style) {
  std::size_t used = label_width;
  std::size_t n = 0;
  while (n < columns.size() && (used += 2 + columns[n].width()) <= static_cast<std::size_t>(style.columns))
    ++n;
  return std::max<std::size_t>(n, 1);
}

}  // namespace

std::string figures_table(std::span<const Row> rows, const Style& style) {
  std::vector<const Row*> with;
  for (const auto& row : rows)
    if (!row.measured.figures.empty()) with.push_back(&row);
  if (with.empty()) return {};
  const auto device = shared_device(with);
  std::vector<std::string> labels;
  std::size_t widest = 0;
  for (const auto* row : with) {
    labels.push_back(row->name.substr(0, row->name.size() - device.size()));
    widest = std::max(widest, labels.back().size());
  }
  auto out = device.empty() ? std::string("\nBeside the times, naive -> optimized:\n")
                            : fmt::format("\nBeside the times, naive -> optimized ({}):\n", device.substr(1));
  const auto columns = columns_of(with);
  for (std::span<const Column> rest = columns; !rest.empty();) {
    const auto n = fitting(rest, widest, style);
    out.append("\n").append(one_table(labels, rest.first(n), style));
    rest = rest.subspan(n);
  }
  return out;
}

}  // namespace harness
