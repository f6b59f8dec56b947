#include "harness/support/quantity.hpp"

#include "harness/core/setup.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <ctime>
#include <limits>
#include <utility>

namespace harness::inline support {
namespace {

/// Three significant digits without an exponent.
std::string three_digits(double value) {
  const auto size = std::abs(value);
  return fmt::format("{:.{}f}", value, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

/// The value in the largest unit that gives at least 1; the last unit takes whatever is left.
std::pair<double, std::string_view> scaled(double value, double step,
                                           std::span<const std::string_view> units) {
  std::size_t unit = 0;
  while (unit + 1 < units.size() && std::abs(value) >= step - 0.5) {
    value /= step;
    ++unit;
  }
  return {value, units[unit]};
}

constexpr std::array<std::string_view, 4> seconds_units{"ns", "us", "ms", "s"};
constexpr std::string_view duration_units = "hms";
constexpr double unit_seconds[] = {3600, 60, 1};
constexpr double most_seconds = 1000 * 3600;

}  // namespace

std::string time_text(double seconds) {
  if (!(seconds > 0)) return "-";
  const auto [value, unit] = scaled(seconds * 1e9, 1000, seconds_units);
  return fmt::format("{} {}", three_digits(value), unit);
}

std::string us_text(double microseconds) {
  if (microseconds == 0) return "0";
  if (std::abs(microseconds) < 1) return fmt::format("{:.1f} us", microseconds);
  const auto [value, unit] = scaled(microseconds, 1000, std::span(seconds_units).subspan(1));
  return fmt::format("{} {}", digits_text(value), unit);
}

std::string memory_text(double bytes) {
  static constexpr std::array<std::string_view, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
  if (std::abs(bytes) < 1024 && bytes == std::round(bytes)) return fmt::format("{:.0f} B", bytes);
  const auto [value, unit] = scaled(bytes, 1024, units);
  return fmt::format("{} {}", three_digits(value), unit);
}

std::string size_text(double bytes) {
  static constexpr std::array<std::string_view, 5> units{"B", "kB", "MB", "GB", "TB"};
  const auto [value, unit] = scaled(bytes, 1000, units);
  return fmt::format("{} {}", digits_text(value), unit);
}

std::string amount_text(double amount, std::string_view unit) {
  static constexpr std::array<std::string_view, 4> prefixes{"", "k", "M", "G"};
  const auto [value, prefix] = scaled(amount, 1000, prefixes);
  const auto digits = std::abs(value) < 999.5 ? "{:.3g} {}{}" : "{:.0f} {}{}";
  return fmt::format(fmt::runtime(digits), value, prefix, unit);
}

std::string rate_text(double per_second, std::string_view unit) {
  return amount_text(per_second, unit) + "/s";
}

std::string effect_text(double log) {
  constexpr double like_a_share = 0.5;
  return log < like_a_share ? fmt::format("{:.2g} %", 100 * log) : digits_text(std::exp(log)) + " times";
}

std::string percent_text(double ratio) {
  const auto percent = 100 * (ratio - 1);
  if (std::abs(percent) < 0.05) return "0.0";
  return fmt::format("{:+.{}f}", percent, std::abs(percent) < 99.95 ? 1 : 0);
}

std::string change_text(double ratio, const std::optional<Interval>& interval) {
  auto text = fmt::format("{} %", percent_text(ratio));
  if (!interval) return text;
  const auto& [low, high] = *interval;
  const auto most = 100 * std::max(1.0, low);  // more, as three scattered rounds give it, says no more
  return text + fmt::format(" [{}, {}]", percent_text(low),
                            high <= most ? percent_text(high) : ">" + percent_text(most));
}

std::string counted_text(double count) {
  return std::abs(count) < 1e15 ? count_text(std::llround(count)) : fmt::format("{:.3g}", count);
}

std::string plain_text(double value) {
  if (std::abs(value) >= 1e7) return counted_text(value);
  if (value == std::round(value)) return fmt::format("{:.0f}", value);
  return std::abs(value) >= 1 ? three_digits(value) : fmt::format("{:.3g}", value);
}

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

std::int64_t parse_size(std::string_view text, const std::string& option) {
  const auto bytes = parse_size(text);
  if (!bytes || *bytes <= 0)
    throw BadInput(fmt::format("{}: '{}' is not a size like 512M or 2G", option, text));
  return *bytes;
}

std::string digits_text(double value) {
  constexpr double least = 1e-4;  // below it {:g} would write an exponent
  if (std::abs(value) >= 1) return three_digits(value);
  if (value > 0 && value < least) return "<0.0001";
  return value == 0 ? "0" : fmt::format("{:.2g}", value);
}

std::string share_text(double share) {
  const double percent = share * 100;
  if (percent > 0 && percent < 0.05) return "<0.1 %";
  const bool fine = percent != 0 && std::abs(percent) < 9.95;
  return fine ? fmt::format("{:.1f} %", percent) : fmt::format("{:.0f} %", percent);
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

Duration parse_duration(const std::string& text, const std::string& option) {
  const auto reject = [&] {
    double bare = 0;
    const auto* const end = text.data() + text.size();
    const bool lacks_unit = std::from_chars(text.data(), end, bare, std::chars_format::fixed).ptr == end &&
                            bare > 0 && bare <= most_seconds;
    throw BadInput(option + " '" + text + "': expected a duration like 90s, 3m or 1h30m" +
                   (lacks_unit ? "; did you mean '" + text + "s' or '" + text + "m'?" : ""));
  };
  double seconds = 0;
  std::size_t next_unit = 0;
  std::string_view rest = text;
  if (rest.empty()) reject();
  while (!rest.empty()) {
    double value = 0;
    const auto [end, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), value, std::chars_format::fixed);
    const bool digit = (rest[0] >= '0' && rest[0] <= '9') || rest[0] == '.';
    if (error != std::errc{} || !digit || end == rest.data() + rest.size()) reject();
    const auto unit = duration_units.find(*end);
    if (unit == std::string_view::npos || unit < next_unit) reject();
    seconds += value * unit_seconds[unit];
    next_unit = unit + 1;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()) + 1);
  }
  if (!(seconds > 0 && seconds <= most_seconds)) reject();
  return {std::chrono::duration<double>(seconds), text};
}

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%S+00:00}", fmt::gmtime(std::time(nullptr))); }

std::optional<std::chrono::sys_seconds> utc_time(const std::string& text) {
  std::tm parts{};
  const char* const end = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S+00:00", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return std::chrono::sys_seconds(std::chrono::seconds(timegm(&parts)));
}

}  // namespace harness::inline support
