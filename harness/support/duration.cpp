#include "harness/support/duration.hpp"

#include "harness/core/setup.hpp"

#include <charconv>

namespace harness::inline support {
namespace {

constexpr std::string_view units = "hms";
constexpr double unit_seconds[] = {3600, 60, 1};
constexpr double most_seconds = 1000 * 3600;

}  // namespace

std::chrono::duration<double> parse_duration(std::string_view text, const std::string& option) {
  const auto reject = [&] {
    throw BadInput(option + " '" + std::string(text) + "': expected a duration like 90s, 3m or 1h30m");
  };
  double seconds = 0;
  std::size_t next_unit = 0;
  auto rest = text;
  if (rest.empty()) reject();
  while (!rest.empty()) {
    double value = 0;
    const auto [end, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), value, std::chars_format::fixed);
    const bool digit = (rest[0] >= '0' && rest[0] <= '9') || rest[0] == '.';
    if (error != std::errc{} || !digit || end == rest.data() + rest.size()) reject();
    const auto unit = units.find(*end);
    if (unit == std::string_view::npos || unit < next_unit) reject();
    seconds += value * unit_seconds[unit];
    next_unit = unit + 1;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()) + 1);
  }
  if (!(seconds > 0 && seconds <= most_seconds)) reject();
  return std::chrono::duration<double>(seconds);
}

}  // namespace harness::inline support
