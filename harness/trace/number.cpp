#include "harness/trace/number.hpp"

#include "harness/core/parse_number.hpp"

#include <charconv>
#include <cmath>

namespace harness::trace {
namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Numbers with an exponent, which no profiler writes but JSON allows.
std::optional<std::int64_t> from_float(std::string_view text) {
  const auto microseconds = parse_number<double>(text);
  if (!microseconds) return std::nullopt;
  const double value = *microseconds * 1e3;
  if (!(std::abs(value) <= static_cast<double>(farthest_ns))) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

}  // namespace

std::string_view trimmed(std::string_view token) {
  while (!token.empty() && is_blank(token.back())) token.remove_suffix(1);
  while (!token.empty() && is_blank(token.front())) token.remove_prefix(1);
  return token;
}

std::string_view unquoted(std::string_view token) {
  token = trimmed(token);
  if (token.size() >= 2 && token.front() == '"' && token.back() == '"')
    return token.substr(1, token.size() - 2);
  return token;
}

std::optional<std::int64_t> nanoseconds(std::string_view token) {
  const std::string_view text = unquoted(token);
  const bool negative = text.starts_with('-');
  std::size_t i = negative ? 1 : 0;
  const std::size_t first = i;
  std::int64_t value = 0;
  while (i < text.size() && is_digit(text[i])) {
    value = value * 10 + (text[i++] - '0');
    if (value > farthest_ns / 1000) return std::nullopt;
  }
  if (i == first) return std::nullopt;
  value *= 1000;
  if (i < text.size() && text[i] == '.') {
    ++i;
    for (std::int64_t digit = 100; i < text.size() && is_digit(text[i]); digit /= 10)
      value += digit * (text[i++] - '0');
  }
  if (i < text.size()) return from_float(text);
  return negative ? -value : value;
}

std::optional<std::int64_t> integer(std::string_view token) {
  return parse_number<std::int64_t>(unquoted(token));
}

float real(std::string_view token) {
  const std::string_view text = unquoted(token);
  float value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && std::isfinite(value) && value >= 0 ? value : -1;
}

}  // namespace harness::trace
