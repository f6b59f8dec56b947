// Small things that every reader of a trace and every
// count over it needs: the bytes of the file, unpacked,
// with the padding that the JSON parser reads beyond
// the end; numbers as a trace writes them, microseconds
// with a fraction, ids with or without quotes.
#pragma once

#include "harness/trace/trace.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace harness::trace {

/// `size` bytes of text in a buffer of `capacity`; the bytes after the text are 0.
struct Text {
  std::shared_ptr<char[]> data;
  std::size_t size = 0;
  std::size_t capacity = 0;

  std::string_view view() const { return {data.get(), size}; }
};

/// Room for `size` bytes and the padding; not cleared. Throws BadInput, naming `file`, where memory is short.
Text make_text(std::size_t size, const std::string& file);

/// Reads a plain or a gzip file (any number of members), or a pipe of either. Throws BadInput.
Text load_text(const std::filesystem::path& path, const ReadLimits& limits);

/// Unpacks gzip data that lie in memory; `file` only names them in messages. The padding is not cleared.
Text unpack_text(std::string_view packed, const std::string& file, const ReadLimits& limits);

/// The farthest from 0 that a time may lie, in nanoseconds (the year 2065 on a Unix clock): sums of three
/// stay within 64 bits.
inline constexpr std::int64_t farthest_ns = 3'000'000'000'000'000'000;

/// "1712195495519689.067" microseconds as nanoseconds, exact to the digit; further digits are dropped.
/// Nothing for text that is not a number and for times beyond `farthest_ns`.
std::optional<std::int64_t> nanoseconds(std::string_view token);

/// "12", "\"12\"" or "-1" as an integer; nothing for other text and where it does not fit.
std::optional<std::int64_t> integer(std::string_view token);

/// A share, a rate; -1 for text that is not a number at least 0.
float real(std::string_view token);

/// A JSON token without the blanks around it.
std::string_view trimmed(std::string_view token);

/// What stands between the quotes of a JSON string; the token itself where it is none.
std::string_view unquoted(std::string_view token);

constexpr double us_per_ns = 1e-3;

constexpr double us_of(std::int64_t ns) { return static_cast<double>(ns) * us_per_ns; }

/// 0 of nothing.
constexpr double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

/// True if the event is one of those that are counted; an empty list counts all.
inline bool takes_part(const std::vector<bool>& inside, EventId id) { return inside.empty() || inside[id]; }

/// True if one of the words stands somewhere in the text.
inline bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != text.npos; });
}

}  // namespace harness::trace
