#include "prices/health.hpp"

#include "harness/support/quantity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <ranges>
#include <utility>

namespace prices {
namespace {

using harness::rate_text;

std::string share_of_peak(std::string_view what, double reached, double peak, std::string_view unit) {
  return fmt::format("{} {} of {}: {:.0f} %", what, rate_text(reached, unit), rate_text(peak, unit),
                     100 * reached / peak);
}

/// "11.2 GB/s up to 16 MiB, 5.6 to 7.64 GB/s from 64 MiB"; empty where the rate never falls for good.
std::string cliff(std::span<const Timed> times) {
  constexpr double left = 0.75;
  const auto behind = best_rates(times);
  double best = 0;
  for (std::size_t i = 1; i < times.size(); ++i) {
    best = std::max(best, times[i - 1].rate());
    if (behind[i] > left * best) continue;
    const auto least = std::ranges::min(times.subspan(i), {}, &Timed::rate).rate();
    const auto rates = least == behind[i]
                           ? rate_text(least, "B")
                           : fmt::format("{} to {}", rate_text(least, "B"), rate_text(behind[i], "B"));
    return fmt::format("{} up to {}, {} from {}", rate_text(best, "B"),
                       harness::memory_text(times[i - 1].bytes), rates, harness::memory_text(times[i].bytes));
  }
  return {};
}

/// Inside the device a cache makes small copies faster.
bool is_over_the_link(std::string_view rows) {
  return rows.starts_with("prices/copy/h2d/") || rows.starts_with("prices/copy/d2h/");
}

/// A subject's figure in a list, 0 where it has none, and how it is written.
struct Subject {
  std::string_view about;
  bool host;
  double (*of)(const PriceList& list);
  std::string (*text)(double value);
};

std::string bytes(double rate) { return harness::rate_text(rate, "B"); }
std::string flop(double rate) { return harness::rate_text(rate, "FLOP"); }

constexpr std::array<Subject, 11> subjects{{
    {"pinned copies h2d", false,
     [](auto& list) { return list.rate_of_largest("prices/copy/h2d/host:pinned/"); }, bytes},
    {"pinned copies d2h", false,
     [](auto& list) { return list.rate_of_largest("prices/copy/d2h/host:pinned/"); }, bytes},
    {"pageable copies h2d", false,
     [](auto& list) { return list.rate_of_largest("prices/copy/h2d/host:pageable/"); }, bytes},
    {"a launch", false, [](auto& list) { return list.seconds("prices/launch/return").value_or(0); },
     harness::time_text},
    {"memory of the device", false, [](auto& list) { return list.rate_of_largest("prices/triad/device/"); },
     bytes},
    {"its products fp32", false, [](auto& list) { return list.best_flop("prices/product/device/fp32/"); },
     flop},
    {"tf32", false, [](auto& list) { return list.best_flop("prices/product/device/tf32/"); }, flop},
    {"bf16", false, [](auto& list) { return list.best_flop("prices/product/device/bf16/"); }, flop},
    {"memory of the host", true, [](auto& list) { return list.rate_of_largest("prices/triad/host/"); },
     bytes},
    {"its products fp32", true, [](auto& list) { return list.best_flop("prices/product/host/fp32/"); }, flop},
    {"an operator's call on the host", true,
     [](auto& list) { return list.seconds("prices/dispatch/host/add").value_or(0); }, harness::time_text},
}};

/// The machines of results/ with a GPU are named after it.
std::string name_beside(const OtherMachine& other, bool host) {
  const bool has_gpu = std::ranges::any_of(other.prices, [](const Price& price) {
    return price.name.find("/device/") != price.name.npos || price.name.starts_with("prices/copy/");
  });
  if (!host || !has_gpu) return other.name;
  auto name = other.name;
  for (auto& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return "the CPU beside the " + name;
}

/// The number of threads in "prices/triad/host/threads:2/bytes:256MiB", the most of a list; 0 without one.
int most_threads(std::span<const Price> prices) {
  constexpr std::string_view triad = "prices/triad/host/threads:";
  int most = 0;
  for (const auto& price : prices)
    if (price.name.starts_with(triad)) most = std::max(most, std::atoi(price.name.c_str() + triad.size()));
  return most;
}

/// "; 51 % of epyc, which has as many threads: see tuneproof doctor", where that is too little.
std::string too_little(double here, double there, bool is_time, const std::string& name) {
  constexpr double enough = 2.0 / 3;
  const double share = is_time ? there / here : here / there;
  if (share >= enough) return {};
  return is_time ? fmt::format("; {} times the time of {}, which has as many threads: see tuneproof doctor",
                               harness::digits_text(1 / share), name)
                 : fmt::format("; {} of {}, which has as many threads: see tuneproof doctor",
                               harness::share_text(share), name);
}

double number(std::string_view text) { return std::strtod(std::string(text).c_str(), nullptr); }

}  // namespace

Balance of_data_sheet(const PriceList& list, const std::optional<harness::DeviceModel>& sheet) {
  const std::string triad = "prices/triad/device/";
  const std::string products = "prices/product/device/";
  Balance line{std::string(data_sheet_line), {}, products + "*, " + triad + "*, prices/copy/h2d/*"};
  const double bytes = list.rate_of_largest(triad);
  const double fp32 = list.best_flop(products + "fp32/");
  const double link = list.rate_of_largest("prices/copy/h2d/host:pinned/");
  if (bytes == 0 && fp32 == 0 && link == 0) return line;
  if (!sheet) {
    line.said.emplace_back("no sheet of this GPU is known");
    return line;
  }
  constexpr double giga = 1e9;
  constexpr double tera = 1e12;
  if (link > 0 && sheet->link_gb_s > 0)
    line.said.push_back(share_of_peak("pinned copies h2d", link, sheet->link_gb_s * giga, "B"));
  if (bytes > 0) line.said.push_back(share_of_peak("memory", bytes, sheet->bandwidth_gb_s * giga, "B"));
  for (const auto& [type, peak] :
       {std::pair{"fp32", sheet->fp32_tflops}, std::pair{"tf32", sheet->tf32_tflops},
        std::pair{"fp16", sheet->fp16_tflops}, std::pair{"bf16", sheet->bf16_tflops}})
    if (const double flop = list.best_flop(products + type + "/"); flop > 0 && peak > 0)
      line.said.push_back(share_of_peak(type, flop, peak * tera, "FLOP"));
  line.said.push_back("sheet: " + sheet->name);
  return line;
}

Balance cliffs(std::span<const Price> prices) {
  Balance line{"copies that get slower with size", {}, "prices/copy/{h2d,d2h}/*"};
  for (const auto& [way, of_way] : by_size(prices)) {
    if (!is_over_the_link(way)) continue;
    const auto name = way.substr(way.find('/') + 1, way.rfind('/') - way.find('/') - 1);
    const auto times = PriceList(of_way).times(way);
    if (times.size() > 1) line.few = true;
    if (const auto text = cliff(times); !text.empty()) line.said.push_back(fmt::format("{}: {}", name, text));
  }
  if (line.few && line.said.empty()) line.said.emplace_back("none");
  line.few = false;
  return line;
}

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

Balance beside(std::span<const Price> prices, const std::vector<OtherMachine>& others) {
  const PriceList list(prices);
  const auto threads = most_threads(prices);
  Balance line{std::string(other_machines_line), {}, "prices/{copy,launch,triad,product,dispatch}/*"};
  for (const auto& subject : subjects) {
    const double here = subject.of(list);
    if (here == 0) continue;
    std::vector<std::string> there;
    std::string judged;
    for (const auto& other : others) {
      const double value = subject.of(PriceList(other.prices));
      if (value <= 0) continue;
      const auto name = name_beside(other, subject.host);
      there.push_back(fmt::format("{}: {}", name, subject.text(value)));
      const bool alike = subject.host && threads > 0 && most_threads(other.prices) == threads;
      if (alike && judged.empty()) judged = too_little(here, value, subject.text == harness::time_text, name);
    }
    if (!there.empty())
      line.said.push_back(
          fmt::format("{} {} ({}){}", subject.about, subject.text(here), fmt::join(there, ", "), judged));
  }
  return line;
}

}  // namespace prices
