#include "prices/price_list.hpp"

#include "harness/support/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <utility>

namespace prices {
namespace {

/// Sums over u = 1 / t and v = n / t: a u + c v should be 1 for every time.
struct Sums {
  double uu = 0, uv = 0, vv = 0, u = 0, v = 0;

  void add(const Timed& time) {
    const double one_u = 1 / time.seconds;
    const double one_v = time.bytes / time.seconds;
    uu += one_u * one_u;
    uv += one_u * one_v;
    vv += one_v * one_v;
    u += one_u;
    v += one_v;
  }
};

Line solve(const Sums& s) {
  const double determinant = s.uu * s.vv - s.uv * s.uv;
  const double start = (s.u * s.vv - s.v * s.uv) / determinant;
  const double per_byte = (s.v * s.uu - s.u * s.uv) / determinant;
  if (start < 0) return {.start = 0, .per_byte = s.v / s.vv};
  if (per_byte < 0) return {.start = s.u / s.uu, .per_byte = 0};
  return {.start = start, .per_byte = per_byte};
}

bool usable(const Timed& time) { return time.bytes > 0 && time.seconds > 0; }

constexpr std::string_view size_word = "bytes:";

/// The size at the end of "..bytes:64MiB".
std::optional<std::int64_t> size_of(std::string_view name) {
  const auto colon = name.rfind(size_word);
  if (colon == name.npos) return std::nullopt;
  return harness::parse_size(name.substr(colon + size_word.size()));
}

}  // namespace

std::optional<Line> fit(std::span<const Timed> times) {
  Sums sums;
  std::set<double> sizes;
  for (const auto& time : times) {
    if (!usable(time)) continue;
    sums.add(time);
    sizes.insert(time.bytes);
  }
  if (sizes.size() < 3) return std::nullopt;  // through two points there is always a line
  auto line = solve(sums);
  for (const auto& time : times)
    if (usable(time))
      line.worst = std::max(line.worst, std::abs(line.at(time.bytes) - time.seconds) / time.seconds);
  return line;
}

std::vector<double> best_rates(std::span<const Timed> times) {
  std::vector<double> best(times.size());
  for (auto i = times.size(); i-- > 0;)
    best[i] = i + 1 < times.size() ? std::max(best[i + 1], times[i].rate()) : times[i].rate();
  return best;
}

std::optional<double> batching_pays(std::span<const Timed> times) {
  const auto best = best_rates(times);
  std::optional<double> up_to;
  for (std::size_t i = 0; i + 1 < times.size(); ++i) {
    if (2 * times[i].rate() >= best[i + 1]) break;
    up_to = times[i].bytes;
  }
  return up_to;
}

std::vector<Sizes> by_size(std::span<const Price> prices) {
  std::vector<Sizes> all;
  std::map<std::string_view, std::size_t> places;
  for (const auto& price : prices) {
    const auto size = price.name.rfind(size_word);
    if (size == std::string::npos || !size_of(price.name)) continue;
    const auto rows = std::string_view(price.name).substr(0, size + size_word.size());
    const auto [place, is_first] = places.try_emplace(rows, all.size());
    if (is_first) all.push_back({rows, {}});
    all[place->second].prices.push_back(price);
  }
  return all;
}

std::optional<double> PriceList::seconds(std::string_view name) const {
  const auto found = std::ranges::find(prices_, name, &Price::name);
  if (found == prices_.end()) return std::nullopt;
  return found->seconds;
}

std::vector<Timed> PriceList::times(std::string_view prefix) const {
  std::vector<Timed> all;
  for (const auto& price : prices_) {
    if (!price.name.starts_with(prefix) || price.seconds <= 0) continue;
    if (const auto bytes = harness::parse_size(std::string_view(price.name).substr(prefix.size())))
      all.push_back({static_cast<double>(*bytes), price.seconds});
  }
  std::ranges::sort(all, {}, &Timed::bytes);
  return all;
}

double PriceList::rate_of_largest(std::string_view prefix) const {
  std::int64_t largest = 0;
  double rate = 0;
  for (const auto& price : prices_) {
    const auto bytes = price.name.starts_with(prefix) ? size_of(price.name) : std::nullopt;
    if (!bytes || *bytes < largest) continue;
    rate = *bytes > largest ? price.bytes_per_second : std::max(rate, price.bytes_per_second);
    largest = *bytes;
  }
  return rate;
}

double PriceList::rate_in_cache(std::string_view prefix) const {
  constexpr double most = 1 << 20;
  double best = 0;
  for (const auto& price : prices_) {
    const auto bytes = price.name.starts_with(prefix) ? size_of(price.name) : std::nullopt;
    if (bytes && static_cast<double>(*bytes) <= most) best = std::max(best, price.bytes_per_second);
  }
  return best;
}

double PriceList::best_flop(std::string_view prefix) const {
  double best = 0;
  for (const auto& price : prices_)
    if (price.name.starts_with(prefix)) best = std::max(best, price.flop_per_second);
  return best;
}

std::optional<double> PriceList::per_node(std::string_view prefix) const {
  int most = 0;
  std::optional<double> seconds;
  for (const auto& price : prices_) {
    if (!price.name.starts_with(prefix)) continue;
    const auto digits = std::string_view(price.name).substr(prefix.size());
    int nodes = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), nodes);
    if (nodes <= most) continue;
    most = nodes;
    seconds = price.seconds / nodes;
  }
  return seconds;
}

PriceList::Cheaper PriceList::first_cheaper(std::string_view one, std::string_view other) const {
  const auto others = times(other);
  Cheaper cheaper;
  for (const auto& time : times(one)) {
    const auto found = std::ranges::lower_bound(others, time.bytes, {}, &Timed::bytes);
    if (found == others.end() || found->bytes != time.bytes) continue;
    cheaper.compared = true;
    if (time.seconds >= found->seconds)
      cheaper.from = std::nullopt;
    else if (!cheaper.from)
      cheaper.from = time.bytes;
  }
  return cheaper;
}

namespace {

std::string all_reduces(const std::string& over, int ranks) {
  return fmt::format("prices/collective/all_reduce/{}/ranks:{}/bytes:", over, ranks);
}

/// A message's fixed part is its start: where that is dearer than its bytes, one message for several is worth
/// more than half of what they cost.
Balance reducing(const PriceList& list, const std::string& over, int ranks) {
  const auto rows = all_reduces(over, ranks);
  auto line = moving(list, fmt::format("all-reduce over {}, {} ranks", over, ranks), rows);
  const auto times = list.times(rows);
  const auto all = fit(times);
  if (all && all->worst <= most_off && all->break_even() > 0)
    line.said.push_back(
        fmt::format("break-even {}: bundle what is smaller, since its start costs more than its bytes",
                    harness::memory_text(all->break_even())));
  return line;
}

/// An all-reduce of two ranks sends as many bytes each way as a ping-pong does.
Balance beside_a_socket(const PriceList& list) {
  const std::string tcp = "prices/ping_pong/tcp/bytes:";
  const std::string copy = "prices/memcpy/bytes:";
  const auto rows = all_reduces("gloo", 2);
  Balance line{"all-reduce over gloo beside a socket", {}, rows + "*, " + tcp + "*, " + copy + "*"};
  for (const auto size : {4 * kib, mib, 64 * mib}) {
    const auto text = bytes_text(size);
    const auto all_reduce = list.seconds(rows + text);
    const auto ping_pong = list.seconds(tcp + text);
    const auto memcpy = list.seconds(copy + text);
    if (all_reduce && ping_pong && memcpy && *ping_pong > 0 && *memcpy > 0)
      line.said.push_back(fmt::format("{}: {} times a ping-pong over TCP, {} times a memcpy",
                                      harness::memory_text(static_cast<double>(size)),
                                      harness::digits_text(*all_reduce / *ping_pong),
                                      harness::digits_text(*all_reduce / *memcpy)));
  }
  return line;
}

using harness::rate_text;

std::string line_text(const Line& line) {
  auto start = line.start > 0 ? harness::time_text(line.start) : std::string("0");
  if (line.per_byte <= 0) return start;
  return fmt::format("{} + n / ({})", start, rate_text(1 / line.per_byte, "B"));
}

std::string rate_at(const Timed& time) {
  return fmt::format("{} at {}", rate_text(time.bytes / time.seconds, "B"), harness::memory_text(time.bytes));
}

/// Only a cache moves the smallest block faster than the largest.
bool is_cached(std::span<const Timed> times) {
  return times.front().bytes / times.front().seconds > times.back().bytes / times.back().seconds;
}

}  // namespace

std::vector<Balance> exchanging(const PriceList& list) {
  std::vector<Balance> all;
  for (const auto* over : {"gloo", "nccl"})
    for (const int ranks : {2, 4, 8}) {
      auto line = reducing(list, over, ranks);
      if (ranks == 2 || !line.said.empty()) all.push_back(std::move(line));
    }
  all.push_back(beside_a_socket(list));
  return all;
}

Balance moving(const PriceList& list, const std::string& about, const std::string& rows) {
  Balance line{about, {}, rows + "*"};
  const auto times = list.times(rows);
  const auto all = fit(times);
  line.few = !all && !times.empty();
  if (!all) return line;
  if (all->worst <= most_off)
    line.said.push_back(fmt::format("t = {}, at most {:.0f} % off", line_text(*all), 100 * all->worst));
  else
    line.said.push_back(fmt::format("{}, {}; no t = a + n/b fits in between{}", rate_at(times.front()),
                                    rate_at(times.back()),
                                    is_cached(times) ? ", for a cache holds small blocks" : ""));
  const auto up_to = batching_pays(times);
  line.said.push_back(up_to ? "batching more than halves the time of pieces up to " +
                                  harness::memory_text(*up_to)
                            : std::string("batching does not help at any size"));
  return line;
}

std::string_view to_string(Collective what) {
  switch (what) {
    case Collective::all_reduce:
      return "all_reduce";
    case Collective::broadcast:
      return "broadcast";
    case Collective::all_gather:
      return "all_gather";
    case Collective::reduce_scatter:
      return "reduce_scatter";
    case Collective::barrier:
      break;
  }
  return "barrier";
}

double bus_factor(Collective what, int ranks) {
  const double others = static_cast<double>(ranks - 1) / ranks;
  switch (what) {
    case Collective::all_reduce:
      return 2 * others;  // a sum's parts go around, and then the sums do
    case Collective::broadcast:
      return 1;  // all of it leaves rank 0
    case Collective::all_gather:
    case Collective::reduce_scatter:
      return others;
    case Collective::barrier:
      break;
  }
  return 0;
}

namespace {

struct Unit {
  std::string_view name;
  std::size_t bytes;
};
constexpr std::array<Unit, 4> units{{{"GiB", gib}, {"MiB", mib}, {"KiB", kib}, {"B", 1}}};

}  // namespace

std::string bytes_text(std::size_t bytes) {
  for (const auto& unit : units)
    if (bytes >= unit.bytes && bytes % unit.bytes == 0)
      return std::to_string(bytes / unit.bytes) + std::string(unit.name);
  return "0B";
}

std::string plain_name(std::string_view name) {
  for (const std::string_view suffix : {"/real_time", "/manual_time", "/process_time"})
    if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
  return std::string(name);
}

}  // namespace prices
