#include "prices/price_list.hpp"

#include "harness/support/quantity.hpp"

#include "prices/names.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

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

}  // namespace prices
