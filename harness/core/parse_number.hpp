// Text as a number or as a fraction.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace harness::inline core {

/// The number that the whole text is; nothing where it is something else, beyond the type, or not finite: no
/// option means "nan".
template <class T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if constexpr (std::is_floating_point_v<T>)
    if (!std::isfinite(value)) return std::nullopt;
  return value;
}

/// "0x1f", as seeds are written: a number would keep only 53 bits in many readers of JSON.
inline std::optional<std::uint64_t> parse_hexadecimal(std::string_view text) {
  std::uint64_t value = 0;
  const auto* const last = text.data() + text.size();
  if (!text.starts_with("0x")) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data() + 2, last, value, 16);
  if (error != std::errc{} || end != last) return std::nullopt;
  return value;
}

/// A number, or one over another: "0.125" or "1/8".
inline std::optional<double> parse_fraction(std::string_view text) {
  const auto slash = text.find('/');
  const auto above = parse_number<double>(text.substr(0, slash));
  if (slash == std::string_view::npos) return above;
  const auto below = parse_number<double>(text.substr(slash + 1));
  if (!above || !below || !std::isfinite(*above / *below)) return std::nullopt;
  return *above / *below;
}

}  // namespace harness::inline core
