#include "harness/support/quantity.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

namespace harness::inline support {
namespace {

/// The value in the largest unit in which it reaches 1; each unit is 1,000 of the one before.
template <std::size_t n>
std::string scaled(double value, const std::array<std::string_view, n>& units) {
  std::size_t unit = 0;
  while (unit + 1 < n && std::abs(value) >= 999.5) {
    value /= 1000;
    ++unit;
  }
  return fmt::format("{} {}", digits_text(value), units[unit]);
}

}  // namespace

std::optional<std::int64_t> parse_size(std::string_view text) {
  std::int64_t number = 0;
  const auto* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{}) return std::nullopt;
  const std::string_view suffix(rest, static_cast<std::size_t>(end - rest));
  if (suffix.empty() || suffix == "B") return number;
  constexpr std::string_view letters = "KMG";
  const auto upper = suffix[0] == 'k' ? 'K' : suffix[0];
  const auto power = letters.find(upper);
  const auto tail = suffix.substr(1);
  if (power == letters.npos || !(tail.empty() || tail == "iB" || tail == "B")) return std::nullopt;
  const auto shift = 10 * (power + 1);
  if (number < 0 || number > (std::numeric_limits<std::int64_t>::max() >> shift)) return std::nullopt;
  return number << shift;
}

std::string digits_text(double value) {
  const double size = std::abs(value);
  if (size >= 99.95) return fmt::format("{:.0f}", value);
  if (size >= 9.995) return fmt::format("{:.1f}", value);
  if (size >= 1) return fmt::format("{:.2f}", value);
  constexpr double least = 1e-4;  // below it {:g} would write an exponent
  if (value > 0 && value < least) return "<0.0001";
  return size == 0 ? "0" : fmt::format("{:.2g}", value);
}

std::string us_text(double microseconds) {
  constexpr std::array<std::string_view, 3> units{"us", "ms", "s"};
  if (microseconds == 0) return "0";
  if (std::abs(microseconds) < 1) return fmt::format("{:.1f} us", microseconds);
  return scaled(microseconds, units);
}

std::string share_text(double share) {
  const double percent = share * 100;
  if (percent > 0 && percent < 0.05) return "<0.1 %";
  const bool fine = percent != 0 && std::abs(percent) < 9.95;
  return fine ? fmt::format("{:.1f} %", percent) : fmt::format("{:.0f} %", percent);
}

std::string size_text(double bytes) {
  constexpr std::array<std::string_view, 5> units{"B", "kB", "MB", "GB", "TB"};
  return scaled(bytes, units);
}

std::string count_text(std::int64_t count) {
  const auto digits = fmt::format("{}", count < 0 ? -count : count);
  std::string text = count < 0 ? "-" : "";
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

}  // namespace harness::inline support
