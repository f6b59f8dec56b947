#include "harness/support/number.hpp"

#include "harness/support/quantity.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>
#include <string_view>

namespace harness::inline support {
namespace {

/// Three significant digits without an exponent.
std::string three_digits(double value) {
  const auto size = std::abs(value);
  return fmt::format("{:.{}f}", value, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

/// In the largest unit that gives at least 1; the last unit takes whatever is left.
std::string scaled(double value, double step, std::span<const std::string_view> units) {
  std::size_t unit = 0;
  while (unit + 1 < units.size() && std::abs(value) >= step - 0.5) {
    value /= step;
    ++unit;
  }
  return three_digits(value) + " " + std::string(units[unit]);
}

}  // namespace

std::string time_text(double seconds) {
  static constexpr std::array<std::string_view, 4> units{"ns", "us", "ms", "s"};
  return seconds > 0 ? scaled(seconds * 1e9, 1000, units) : "-";
}

std::string memory_text(double bytes) {
  static constexpr std::array<std::string_view, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
  if (std::abs(bytes) < 1024 && bytes == std::round(bytes)) return fmt::format("{:.0f} B", bytes);
  return scaled(bytes, 1024, units);
}

std::string amount_text(double amount, std::string_view unit) {
  static constexpr std::array<std::string_view, 4> prefixes{"", "k", "M", "G"};
  std::size_t prefix = 0;
  while (prefix + 1 < prefixes.size() && std::abs(amount) >= 999.5) {
    amount /= 1000;
    ++prefix;
  }
  const auto digits = std::abs(amount) < 999.5 ? "{:.3g} {}{}" : "{:.0f} {}{}";
  return fmt::format(fmt::runtime(digits), amount, prefixes[prefix], unit);
}

std::string rate_text(double per_second, std::string_view unit) {
  return amount_text(per_second, unit) + "/s";
}

std::string effect_text(double share) {
  return 100 * share < 99.5 ? fmt::format("{:.2g} %", 100 * share) : fmt::format("{:.0f} %", 100 * share);
}

std::string percent_text(double ratio) {
  const auto percent = 100 * (ratio - 1);
  if (std::abs(percent) < 0.05) return "0.0";
  return fmt::format("{:+.{}f}", percent, std::abs(percent) < 99.95 ? 1 : 0);
}

std::string change_text(double ratio, const std::optional<Interval>& interval) {
  auto text = fmt::format("{} %", percent_text(ratio));
  if (interval) text += fmt::format(" [{}, {}]", percent_text(interval->low), percent_text(interval->high));
  return text;
}

std::string plain_text(double value) {
  constexpr double most_counted = 1e15;  // above it a number has no last digit
  if (std::abs(value) >= 1e7 && std::abs(value) < most_counted) return count_text(std::llround(value));
  if (value == std::round(value) && std::abs(value) < 1e7) return fmt::format("{:.0f}", value);
  return std::abs(value) >= 1 && std::abs(value) < 1e7 ? three_digits(value) : fmt::format("{:.3g}", value);
}

}  // namespace harness::inline support
