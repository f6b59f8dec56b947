#include "harness/support/text.hpp"

#include "prices/balance.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace prices {

std::string balance_text(std::span<const Balance> lines, const harness::Style& style) {
  constexpr int column = 40;
  std::string told;
  std::string untold;
  for (const auto& line : lines) {
    if (line.said.empty()) {
      untold += fmt::format("{}{} ({} {})", untold.empty() ? "" : "; ", line.about,
                            line.few ? "needs more sizes of" : "no", line.from);
      continue;
    }
    std::string lead = "  " + line.about;
    for (const auto& said : line.said)
      told += harness::indented(std::exchange(lead, ""), said, column, style);
    const auto from = harness::indented("", "from " + line.from, column, style);
    told += harness::inked(from.substr(0, from.size() - 1), harness::Ink::dim, style) + "\n";
  }
  if (told.empty()) return {};
  auto text = fmt::format("\n{}\n{}", harness::inked("BALANCE", harness::Ink::bold, style), told);
  if (!untold.empty()) text += harness::indented("  not available", untold + ".", column, style);
  return text;
}

}  // namespace prices
