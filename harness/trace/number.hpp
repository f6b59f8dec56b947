// Numbers as a trace writes them: microseconds with a fraction, ids with or without quotes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace harness::trace {

/// The farthest from 0 that a time may lie, in nanoseconds (the year 2065 on a Unix clock): sums of three
/// stay within 64 bits.
inline constexpr std::int64_t farthest_ns = 3'000'000'000'000'000'000;

/// "1712195495519689.067" microseconds as nanoseconds, exact to the digit; further digits are dropped.
/// Nothing for text that is no number and for times beyond `farthest_ns`.
std::optional<std::int64_t> nanoseconds(std::string_view token);

/// "12", "\"12\"" or "-1" as an integer; nothing for other text and where it does not fit.
std::optional<std::int64_t> integer(std::string_view token);

/// A share, a rate; -1 for text that is no number at least 0.
float real(std::string_view token);

/// A JSON token without the blanks around it.
std::string_view trimmed(std::string_view token);

/// What stands between the quotes of a JSON string; the token itself where it is none.
std::string_view unquoted(std::string_view token);

}  // namespace harness::trace
