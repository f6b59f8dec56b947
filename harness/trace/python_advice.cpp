#include "harness/trace/python_advice.hpp"

#include "harness/catalogue/in_python.hpp"
#include "harness/trace/trace_text.hpp"

#include <fmt/format.h>

#include <sstream>

namespace harness::trace {
namespace {

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

}  // namespace harness::trace
