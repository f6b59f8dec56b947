#include "prices/beside.hpp"

#include "harness/support/quantity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <ranges>
#include <utility>

namespace prices {
namespace {

/// A subject's figure in a list, 0 where it has none, and how it is written.
struct Subject {
  std::string_view about;
  double (*of)(const PriceList& list);
  std::string (*text)(double value);
};

std::string bytes(double rate) { return harness::rate_text(rate, "B"); }
std::string flop(double rate) { return harness::rate_text(rate, "FLOP"); }

constexpr std::array<Subject, 11> subjects{{
    {"pinned copies h2d", [](auto& list) { return list.rate_of_largest("prices/copy/h2d/host:pinned/"); },
     bytes},
    {"pinned copies d2h", [](auto& list) { return list.rate_of_largest("prices/copy/d2h/host:pinned/"); },
     bytes},
    {"pageable copies h2d", [](auto& list) { return list.rate_of_largest("prices/copy/h2d/host:pageable/"); },
     bytes},
    {"a launch", [](auto& list) { return list.seconds("prices/launch/return").value_or(0); },
     harness::time_text},
    {"memory of the device", [](auto& list) { return list.rate_of_largest("prices/triad/device/"); }, bytes},
    {"its products fp32", [](auto& list) { return list.best_flop("prices/product/device/fp32/"); }, flop},
    {"tf32", [](auto& list) { return list.best_flop("prices/product/device/tf32/"); }, flop},
    {"bf16", [](auto& list) { return list.best_flop("prices/product/device/bf16/"); }, flop},
    {"memory of the host", [](auto& list) { return list.rate_of_largest("prices/triad/host/"); }, bytes},
    {"its products fp32", [](auto& list) { return list.best_flop("prices/product/host/fp32/"); }, flop},
    {"an operator's call on the host",
     [](auto& list) { return list.seconds("prices/dispatch/host/add").value_or(0); }, harness::time_text},
}};

double number(std::string_view text) { return std::strtod(std::string(text).c_str(), nullptr); }

}  // namespace

std::vector<OtherMachine> other_machines(std::string_view table) {
  std::vector<OtherMachine> all;
  for (const auto line : std::views::split(table, '\n')) {
    std::vector<std::string_view> cells;
    for (const auto cell : std::views::split(line, '\t')) cells.emplace_back(cell.begin(), cell.end());
    constexpr std::size_t columns = 5;
    if (cells.size() != columns) continue;  // a remark
    if (all.empty() || all.back().name != cells[0]) all.push_back({std::string(cells[0]), {}});
    all.back().prices.push_back({.name = std::string(cells[1]),
                                 .seconds = number(cells[2]),
                                 .bytes_per_second = number(cells[3]),
                                 .flop_per_second = number(cells[4])});
  }
  return all;
}

Balance beside(const PriceList& list, const std::vector<OtherMachine>& others) {
  Balance line{"beside the machines of results/", {}, "prices/{copy,launch,triad,product,dispatch}/*"};
  for (const auto& subject : subjects) {
    const double here = subject.of(list);
    if (here == 0) continue;
    std::vector<std::string> there;
    for (const auto& other : others)
      if (const double value = subject.of(PriceList(other.prices)); value > 0)
        there.push_back(fmt::format("{}: {}", other.name, subject.text(value)));
    if (!there.empty())
      line.said.push_back(
          fmt::format("{} {} ({})", subject.about, subject.text(here), fmt::join(there, ", ")));
  }
  return line;
}

}  // namespace prices
