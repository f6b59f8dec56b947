#include "harness/trace/python_advice.hpp"

#include "harness/catalogue/in_python.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <span>
#include <string_view>
#include <vector>

namespace harness::trace {
namespace {

/// Findings whose steps show the price of what the trace does already.
constexpr std::array<std::string_view, 2> already_done{"recomputation", "autocast_without_unit"};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (const auto line : std::views::split(text, '\n')) lines.emplace_back(line.begin(), line.end());
  return lines;
}

/// The lines of `after` that `before` lacks.
std::vector<std::string_view> changed(const catalogue::InPython& python) {
  const auto before = lines_of(python.before);
  auto lines = lines_of(python.after);
  std::erase_if(lines, [&](auto line) { return std::ranges::find(before, line) != before.end(); });
  return lines;
}

std::size_t indent_of(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

/// Without the indent that all have, and without a remark that does not fit.
std::string laid_out(std::span<const std::string_view> lines, const Style& style) {
  constexpr std::size_t column = 12;
  const auto shared = std::ranges::min(lines | std::views::transform(indent_of));
  std::string text;
  for (auto line : lines) {
    line.remove_prefix(shared);
    if (column + line.size() > static_cast<std::size_t>(style.columns))
      line = line.substr(0, line.find("  # "));
    text += std::string(column, ' ') + std::string(line) + "\n";
  }
  return text;
}

}  // namespace

std::string python_advice(const Finding& finding, const Style& style) {
  constexpr std::size_t most = 4;
  if (std::ranges::find(already_done, finding.id) != already_done.end()) return {};
  for (const auto& step : finding.steps) {
    const auto python = catalogue::in_python(step);
    if (!python) continue;
    auto lines = changed(*python);
    if (lines.empty()) continue;
    if (lines.size() > most) {
      lines.resize(most);
      lines.emplace_back("...");
    }
    return fmt::format("          in Python, as in {}:\n", step) + laid_out(lines, style);
  }
  return {};
}

}  // namespace harness::trace
