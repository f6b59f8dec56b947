#include "prices/price_list.hpp"

#include "harness/support/quantity.hpp"

#include "prices/names.hpp"

#include <algorithm>
#include <charconv>

namespace prices {
namespace {

/// The size at the end of "..bytes:64MiB".
std::optional<std::int64_t> size_of(std::string_view name) {
  const auto colon = name.rfind("bytes:");
  if (colon == name.npos) return std::nullopt;
  return harness::parse_size(name.substr(colon + std::string_view("bytes:").size()));
}

}  // namespace

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
    const auto found = std::ranges::find(others, time.bytes, &Timed::bytes);
    if (found == others.end()) continue;
    cheaper.compared = true;
    if (time.seconds >= found->seconds)
      cheaper.from = std::nullopt;
    else if (!cheaper.from)
      cheaper.from = time.bytes;
  }
  return cheaper;
}

}  // namespace prices
