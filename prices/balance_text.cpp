#include "harness/support/text.hpp"

#include "prices/balance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace prices {
namespace {

bool of_a_gpu(std::string_view rows) {
  constexpr std::array<std::string_view, 6> words{"/device/", "/copy/", "/launch/",
                                                  "/graph/",  "pinned", "nccl"};
  return std::ranges::any_of(words, [&](std::string_view word) { return rows.find(word) != rows.npos; });
}

/// "prices/copy/h2d/*, prices/allocate/pinned/*" -> "prices/copy", "prices/allocate".
std::vector<std::string> families_of(std::string_view rows) {
  std::vector<std::string> all;
  while (!rows.empty()) {
    const auto one = rows.substr(0, rows.find(", "));
    rows.remove_prefix(std::min(one.size() + 2, rows.size()));
    all.emplace_back(one.substr(0, one.find('/', one.find('/') + 1)));
  }
  return all;
}

/// The lines of a balance that cannot be told for one reason.
struct Untold {
  int lines = 0;
  std::vector<std::string> families;

  void add(const Balance& line) {
    ++lines;
    for (auto& family : families_of(line.from))
      if (std::ranges::find(families, family) == families.end()) families.push_back(std::move(family));
  }
  /// "11 lines for want of a GPU's rows: prices/copy, prices/launch".
  std::string text(std::string_view want) const {
    return fmt::format("{} line{} for want of {}: {}", lines, lines == 1 ? "" : "s", want,
                       fmt::join(families, ", "));
  }
};

/// A sentence for each reason.
std::vector<std::string> why_not(std::span<const Balance> lines) {
  std::vector<std::string> reasons;
  Untold of_gpu, of_others;
  for (const auto& line : lines)
    if (line.few && line.said.empty())
      reasons.push_back(fmt::format("{} needs more sizes of {}", line.about, line.from));
    else if (line.said.empty())
      (of_a_gpu(line.from) ? of_gpu : of_others).add(line);
  if (of_gpu.lines > 0) reasons.push_back(of_gpu.text("a GPU's rows"));
  if (of_others.lines > 0) reasons.push_back(of_others.text("rows that were not taken"));
  return reasons;
}

}  // namespace

std::string balance_text(std::span<const Balance> lines, const harness::Style& style) {
  constexpr int narrow = 80, beside = 40, below = 4;
  const int column = style.columns < narrow ? below : beside;
  const std::string_view break_of_lead = column == below ? "\n" : "";
  std::string told;
  for (const auto& line : lines) {
    if (line.said.empty()) continue;
    auto lead = fmt::format("  {}{}", line.about, break_of_lead);
    for (const auto& said : line.said)
      told += harness::indented(std::exchange(lead, ""), said, column, style);
    const auto from = harness::indented("", "from " + line.from, column, style);
    told += harness::inked(from.substr(0, from.size() - 1), harness::Ink::dim, style) + "\n";
  }
  if (told.empty()) return {};
  auto text = fmt::format("\n{}\n{}", harness::inked("BALANCE", harness::Ink::bold, style), told);
  auto lead = fmt::format("  not available{}", break_of_lead);
  for (const auto& reason : why_not(lines))
    text += harness::indented(std::exchange(lead, ""), reason, column, style);
  return text;
}

}  // namespace prices
