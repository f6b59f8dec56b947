#include "prices/health.hpp"

#include "harness/support/quantity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <ranges>
#include <set>
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
  double harness::DeviceModel::* peak = nullptr;  // of the GPU's data sheet, which has it

  /// 0: the sheet does not know it.
  double peak_of(const std::optional<harness::DeviceModel>& sheet) const;
};

std::string bytes(double rate) { return harness::rate_text(rate, "B"); }
std::string flop(double rate) { return harness::rate_text(rate, "FLOP"); }

using harness::DeviceModel;

double Subject::peak_of(const std::optional<DeviceModel>& sheet) const {
  constexpr double giga = 1e9, tera = 1e12;
  return sheet && peak != nullptr ? *sheet.*peak * (text == flop ? tera : giga) : 0;
}

constexpr std::array<Subject, 11> subjects{{
    {"pinned copies h2d", false,
     [](auto& list) { return list.rate_of_largest("prices/copy/h2d/host:pinned/"); }, bytes,
     &DeviceModel::link_gb_s},
    {"pinned copies d2h", false,
     [](auto& list) { return list.rate_of_largest("prices/copy/d2h/host:pinned/"); }, bytes,
     &DeviceModel::link_gb_s},
    {"pageable copies h2d", false,
     [](auto& list) { return list.rate_of_largest("prices/copy/h2d/host:pageable/"); }, bytes},
    {"a launch", false, [](auto& list) { return list.seconds("prices/launch/return").value_or(0); },
     harness::time_text},
    {"memory of the GPU", false, [](auto& list) { return list.rate_of_largest("prices/triad/device/"); },
     bytes, &DeviceModel::bandwidth_gb_s},
    {"FP32 products on the GPU", false,
     [](auto& list) { return list.best_flop("prices/product/device/fp32/"); }, flop,
     &DeviceModel::fp32_tflops},
    {"TF32 products on the GPU", false,
     [](auto& list) { return list.best_flop("prices/product/device/tf32/"); }, flop,
     &DeviceModel::tf32_tflops},
    {"BF16 products on the GPU", false,
     [](auto& list) { return list.best_flop("prices/product/device/bf16/"); }, flop,
     &DeviceModel::bf16_tflops},
    {"memory of the host", true, [](auto& list) { return list.rate_of_largest("prices/triad/host/"); },
     bytes},
    {"FP32 products on the CPU", true, [](auto& list) { return list.best_flop("prices/product/host/fp32/"); },
     flop},
    {"an operator's call on the host", true,
     [](auto& list) { return list.seconds("prices/dispatch/host/add").value_or(0); }, harness::time_text},
}};

std::string upper_case(std::string_view text) {
  std::string upper;
  for (const auto c : text) upper += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return upper;
}

/// The machines of results/ with a GPU are named after it.
std::string name_beside(const OtherMachine& other, bool host) {
  return host && !other.gpu.empty() ? "the CPU beside the " + upper_case(other.name) : other.name;
}

/// The number of threads in "prices/triad/host/threads:2/bytes:256MiB", the most of a list; 0 without one.
int most_threads(std::span<const Price> prices) {
  constexpr std::string_view triad = "prices/triad/host/threads:";
  int most = 0;
  for (const auto& price : prices)
    if (price.name.starts_with(triad)) most = std::max(most, std::atoi(price.name.c_str() + triad.size()));
  return most;
}

/// What a machine of results/ reached in a subject.
struct Reached {
  std::string name;
  double value;  // a share of its data sheet, where the subject is held against one
};

constexpr double slow_below = 0.8, good_from = 0.95;

/// "good", "usual" or "slow" beside what others reached.
std::string_view word_beside(double here, const std::vector<Reached>& there, bool less_is_better) {
  const auto [least, most] = std::ranges::minmax(there, {}, &Reached::value);
  const double of_worst = less_is_better ? most.value / here : here / least.value;
  const double of_best = less_is_better ? least.value / here : here / most.value;
  return of_worst < slow_below ? "slow" : of_best < good_from ? "usual" : "good";
}

/// What others reached in a subject, and whether it can be judged by that.
struct Comparison {
  std::vector<Reached> there;
  bool alike = true;
};

/// Rates of a CPU are judged by those with as many threads, rates of a GPU as shares of its data sheet.
Comparison compared(const Subject& subject, const std::vector<OtherMachine>& others, int threads,
                    bool shares) {
  std::vector<Reached> all, alike;
  for (const auto& other : others) {
    const double value = subject.of(PriceList(other.prices));
    const double whole = shares ? subject.peak_of(harness::device_model({.name = other.gpu})) : 1;
    if (value <= 0 || whole <= 0) continue;
    all.push_back({name_beside(other, subject.host), value / whole});
    if (threads > 0 && most_threads(other.prices) == threads) alike.push_back(all.back());
  }
  if (!subject.host) return {all, shares || subject.peak == nullptr};
  return alike.empty() ? Comparison{all, subject.text == harness::time_text} : Comparison{alike};
}

/// Why there is no word, if one is missing, and what the words mean, if there is one.
void explain_words(bool gpu, bool cpu, int threads, const std::set<std::string_view>& words, Balance& line) {
  if (gpu) line.said.emplace_back("no data sheet of this GPU is known to judge it by");
  if (cpu)
    line.said.push_back(fmt::format("results/ has no CPU that ran {} threads to judge this one by", threads));
  if (!words.empty())
    line.said.push_back(fmt::format("good means {} of the best of them or more, slow below {} of the worst{}",
                                    harness::share_text(good_from), harness::share_text(slow_below),
                                    words.contains("slow") ? ", see tuneproof doctor" : ""));
}

/// "FP32 218 GFLOP/s", of the types that were measured in a place, and which of them is far off.
std::string by_type(const PriceList& list, const std::string& place, std::string_view name) {
  constexpr double clearly = 2;
  std::vector<std::string> rates, slow;
  const auto products = [&](std::string_view type) {
    return list.best_flop(fmt::format("prices/product/{}/{}/", place, type));
  };
  const double fp32 = products("fp32");
  for (const auto& [type, other] :
       {std::pair{"fp32", ""}, {"tf32", ""}, {"fp16", "bf16"}, {"bf16", "fp16"}}) {
    const double rate = products(type);
    if (rate == 0) continue;
    rates.push_back(fmt::format("{} {}", upper_case(type), flop(rate)));
    if (fp32 < clearly * rate) continue;
    slow.push_back(fmt::format("{} is {} times slower than FP32: use {}", upper_case(type),
                               harness::digits_text(fp32 / rate),
                               upper_case(products(other) > fp32 ? other : "fp32")));
  }
  if (rates.size() < 2) return {};
  return fmt::format("products on the {}: {}{}{}", name, fmt::join(rates, ", "), slow.empty() ? "" : ": ",
                     fmt::join(slow, ", "));
}

double number(std::string_view text) { return std::strtod(std::string(text).c_str(), nullptr); }

}  // namespace

Balance of_data_sheet(const PriceList& list, const std::optional<DeviceModel>& sheet) {
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
  Balance line{std::string(cliffs_line), {}, "prices/copy/{h2d,d2h}/*"};
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
    constexpr std::size_t columns = 6;
    if (cells.size() != columns) continue;  // a remark
    if (all.empty() || all.back().name != cells[0])
      all.push_back({std::string(cells[0]), std::string(cells[1]), {}});
    all.back().prices.push_back({.name = std::string(cells[2]),
                                 .seconds = number(cells[3]),
                                 .bytes_per_second = number(cells[4]),
                                 .flop_per_second = number(cells[5])});
  }
  return all;
}

Balance beside(std::span<const Price> prices, const std::vector<OtherMachine>& others,
               const std::optional<DeviceModel>& sheet) {
  const PriceList list(prices);
  const int threads = most_threads(prices);
  Balance line{std::string(other_machines_line), {}, "prices/{copy,launch,triad,product,dispatch}/*"};
  std::set<std::string_view> words;
  bool gpu = false, cpu = false;  // is left without a word
  for (const auto& subject : subjects) {
    const double here = subject.of(list), peak = subject.peak_of(sheet);
    if (here == 0) continue;
    const auto [there, alike] = compared(subject, others, threads, peak > 0);
    if (there.empty()) continue;
    auto text = fmt::format("{} {}", subject.about, subject.text(here));
    if (peak > 0) text += fmt::format(", {} of the data sheet", harness::share_text(here / peak));
    if (alike) {
      const auto word = word_beside(peak > 0 ? here / peak : here, there, subject.text == harness::time_text);
      text += fmt::format(": {}", word);
      words.insert(word);
    } else {
      (subject.host ? cpu : gpu) = true;
    }
    std::vector<std::string> named;
    for (const auto& [name, value] : there)
      named.push_back(
          fmt::format("{}: {}", name, peak > 0 ? harness::share_text(value) : subject.text(value)));
    line.said.push_back(fmt::format("{} ({})", text, fmt::join(named, ", ")));
  }
  explain_words(gpu, cpu, threads, words, line);
  return line;
}

Balance products_by_type(const PriceList& list) {
  Balance line{std::string(products_line), {}, "prices/product/*"};
  for (const auto& [place, name] : {std::pair{"host", "CPU"}, {"device", "GPU"}})
    if (auto text = by_type(list, place, name); !text.empty()) line.said.push_back(std::move(text));
  return line;
}

}  // namespace prices
