#include "prices/table_line.hpp"

#include "harness/support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace prices {
namespace {

constexpr std::size_t figure_width = 9, rate_width = 13, gap = 2;

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string laid_out(std::string_view name, std::string_view figure, std::string_view rate,
                     std::size_t width) {
  return trimmed(
      fmt::format("{:<{}}{:>{}}{:>{}}", name, width, figure, gap + figure_width, rate, gap + rate_width));
}

}  // namespace

std::size_t names_width(std::size_t widest, const harness::Style& style) {
  const auto columns = static_cast<std::size_t>(std::max(style.columns, 0));
  const auto figures = gap + figure_width + gap + rate_width;
  return std::min(widest, columns - std::min(columns, figures));
}

bool is_left_to_the_file(std::string_view line) {
  constexpr std::array<std::string_view, 11> begins{
      "20",           "Running ", "Run on (",   "CPU Caches:", "  L",        "Load Average",
      "fingerprint:", "gpu",      "libtorch: ", "threads: ",   "tuneproof: "};
  return std::ranges::any_of(begins, [&](std::string_view begin) { return line.starts_with(begin); });
}

std::string table_head(std::size_t width, const harness::Style& style) {
  return harness::inked(laid_out("PRICE", "TIME", "RATE", width), harness::Ink::dim, style) + "\n";
}

std::string table_line(const TableLine& line, std::size_t width, const harness::Style& style) {
  std::string out;
  if (line.name.size() > width) out = line.name + "\n";
  out += laid_out(out.empty() ? line.name : "", line.figure, line.rate, width);
  if (line.more.empty()) return out + "\n";
  const auto used = width + gap + figure_width + gap + rate_width + gap;
  const bool fits = used + line.more.size() <= static_cast<std::size_t>(style.columns);
  return fits ? fmt::format("{}  {}\n", out, line.more)
              : fmt::format("{}\n{:>{}}\n", out, line.more, used - gap);
}

std::string table_error(std::string_view name, std::string_view why, const harness::Style& style) {
  return fmt::format("{}\n{}", name, harness::indented("", why, gap, style));
}

}  // namespace prices
