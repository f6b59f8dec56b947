// The op table, PyTorch's columns, and what it says of memory and of places.
#include "harness/support/quantity.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/text.hpp"
#include "harness/trace/diagnosis_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace harness::trace {
namespace {

std::string plain_percent(double part, double whole) {
  return fmt::format("{:.1f}", whole > 0 ? 100 * part / whole : 0);
}

/// "86.3ms": eleven columns leave no room for blanks.
std::string tight_us(double us) {
  auto text = us_text(us);
  std::erase(text, ' ');
  return text;
}

std::string name_of(const OpRow& row) { return row.device_row ? short_kernel_name(row.name) : row.name; }

std::string times_table(const OpTable& ops, std::span<const OpRow> shown, const Style& style) {
  Columns table({"Name", "Self\nCPU %", "Self\nCPU", "CPU\ntot. %", "CPU\ntotal", "CPU\navg", "Self\nCUDA",
                 "Self\nCUDA%", "CUDA\ntotal", "CUDA\navg", "# of\nCalls"},
                1);
  for (const auto& row : shown) {
    const double calls = static_cast<double>(std::max<std::int64_t>(row.calls, 1));
    table.add({name_of(row), plain_percent(row.self_cpu_us, ops.self_cpu_us), tight_us(row.self_cpu_us),
               plain_percent(row.cpu_total_us, ops.self_cpu_us), tight_us(row.cpu_total_us),
               tight_us(row.cpu_total_us / calls), tight_us(row.self_device_us),
               plain_percent(row.self_device_us, ops.self_device_us), tight_us(row.device_total_us),
               tight_us(row.device_total_us / calls), fmt::format("{}", row.calls)});
  }
  return table.text(style);
}

std::string bytes(std::int64_t count) {
  const auto text = size_text(std::abs(static_cast<double>(count)));
  return count < 0 ? fmt::format("-{}", text) : text;
}

std::string memory_table(std::span<const OpRow> shown, const Style& style) {
  Columns table({"memory taken (below 0: given back)", "Self CPU", "CPU", "Self CUDA", "CUDA", "calls"});
  for (const auto& row : shown)
    if (!row.device_row)
      table.add({name_of(row), bytes(row.self_memory.host), bytes(row.memory.host),
                 bytes(row.self_memory.device), bytes(row.memory.device), count_text(row.calls)});
  return fmt::format("\n{}", table.text(style));
}

/// Shapes and places do not fit beside eleven columns.
std::string shapes_list(std::span<const OpRow> shown, const Style& style) {
  std::string lines;
  for (const auto& row : shown)
    if (!row.shapes.empty()) lines += flowing("", fmt::format("{}: {}", name_of(row), row.shapes), 4, style);
  return lines.empty() ? lines : fmt::format("\n  {}\n{}", inked("input shapes", Ink::dim, style), lines);
}

std::string places_table(std::span<const OpRow> shown, const Style& style) {
  Columns table({"longest call of", "<at"});
  for (const auto& row : shown)
    if (!row.where.empty()) table.add({name_of(row), without_middle(short_site(row.where), 60)});
  return table.empty() ? "" : fmt::format("\n{}", table.text(style));
}

}  // namespace

std::string ops_section(const Diagnosis& diagnosis, const Showing& showing, const Style& style) {
  auto ops = diagnosis.ops;
  if (ops.rows.empty()) return "";
  sort_rows(ops, showing.sort);
  const auto shown = std::span<const OpRow>(ops.rows).first(std::min(ops.rows.size(), showing.top));
  const auto more =
      ops.rows.size() > showing.top
          ? fmt::format("  {} more rows: --top N, or --json - for all\n", ops.rows.size() - showing.top)
          : std::string();
  auto out = section_heading("OPERATORS", style) + times_table(ops, shown, style) +
             inked(more, Ink::dim, style) +
             indented("",
                      fmt::format("Self CPU time total: {}; Self CUDA time total: {}",
                                  us_text(ops.self_cpu_us), us_text(ops.self_device_us)),
                      2, style);
  if (ops.memory_recorded) out += memory_table(shown, style);
  return out + shapes_list(shown, style) + places_table(shown, style);
}

}  // namespace harness::trace
