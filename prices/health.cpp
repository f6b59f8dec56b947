#include "prices/health.hpp"

#include "harness/support/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace prices {
namespace {

using harness::rate_text;

std::string share_of_peak(std::string_view what, double reached, double peak, std::string_view unit) {
  return fmt::format("{} {} of {}: {:.0f} %", what, rate_text(reached, unit), rate_text(peak, unit),
                     100 * reached / peak);
}

double rate(const Timed& time) { return time.bytes / time.seconds; }

/// "11.2 GB/s up to 16 MiB, 5.6 to 7.64 GB/s from 64 MiB"; empty where the rate never falls for good.
std::string cliff(std::span<const Timed> times) {
  constexpr double left = 0.75;
  for (std::size_t i = 1; i < times.size(); ++i) {
    const auto before = times.subspan(0, i);
    const auto after = times.subspan(i);
    const auto best = rate(*std::ranges::max_element(before, {}, rate));
    const auto [least, most] = std::ranges::minmax_element(after, {}, rate);
    if (rate(*most) > left * best) continue;
    const auto rates =
        least == most ? rate_text(rate(*most), "B")
                      : fmt::format("{} to {}", rate_text(rate(*least), "B"), rate_text(rate(*most), "B"));
    return fmt::format("{} up to {}, {} from {}", rate_text(best, "B"),
                       harness::memory_text(before.back().bytes), rates,
                       harness::memory_text(after.front().bytes));
  }
  return {};
}

/// "prices/copy/h2d/host:pageable/bytes:" of each way over the link that was measured, in the list's order.
/// Inside the device a cache makes small copies faster.
std::vector<std::string> ways(std::span<const Price> prices) {
  std::vector<std::string> found;
  for (const auto& price : prices) {
    const auto size = price.name.rfind("bytes:");
    const bool over_the_link =
        price.name.starts_with("prices/copy/h2d/") || price.name.starts_with("prices/copy/d2h/");
    if (!over_the_link || size == std::string::npos) continue;
    if (auto way = price.name.substr(0, size + 6); std::ranges::find(found, way) == found.end())
      found.push_back(std::move(way));
  }
  return found;
}

}  // namespace

Balance of_data_sheet(const PriceList& list, const std::optional<harness::DeviceModel>& sheet) {
  const std::string triad = "prices/triad/device/";
  const std::string products = "prices/product/device/";
  Balance line{"device: share of its data sheet", {}, products + "*, " + triad + "*, prices/copy/h2d/*"};
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
  const PriceList list(prices);
  for (const auto& way : ways(prices)) {
    const auto name = way.substr(way.find('/') + 1, way.rfind('/') - way.find('/') - 1);
    const auto times = list.times(way);
    if (times.size() > 1) line.few = true;
    if (const auto text = cliff(times); !text.empty()) line.said.push_back(name + ": " + text);
  }
  if (line.few && line.said.empty()) line.said.emplace_back("none");
  line.few = false;
  return line;
}

}  // namespace prices
