#include "harness/trace/text.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/core/setup.hpp"
#include "harness/support/gzip.hpp"
#include "harness/support/read_text.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <utility>

namespace harness::trace {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

std::string advice(const ReadLimits& limits) {
  return limits.flag.empty() ? std::string() : fmt::format("; {} raises the limit", limits.flag);
}

[[noreturn]] void refuse_size(const std::string& file, const ReadLimits& limits) {
  throw BadInput(
      fmt::format("{}: is larger than the {} bytes allowed{}.", file, limits.unpacked_bytes, advice(limits)));
}

/// A larger buffer, to which the first `used` bytes of the text move.
Text moved(Text text, std::size_t size, std::size_t used, const std::string& file) {
  if (used == 0) text.data.reset();  // the two need not lie in memory at once
  Text larger = make_text(size, file);
  if (used > 0) std::memcpy(larger.data.get(), text.data.get(), used);
  return larger;
}

/// A pipe, whose size nobody knows beforehand.
Text read_pipe(std::FILE* input, const std::string& file, const ReadLimits& limits) {
  constexpr std::size_t first = std::size_t{1} << 20;
  Text text = make_text(first, file);
  std::size_t used = 0;
  for (;;) {
    used += std::fread(text.data.get() + used, 1, text.size - used, input);
    if (used < text.size) break;
    if (text.size >= limits.unpacked_bytes) refuse_size(file, limits);
    const auto size = std::min<std::uint64_t>(std::uint64_t{text.size} * 2, limits.unpacked_bytes);
    text = moved(std::move(text), static_cast<std::size_t>(size), used, file);
  }
  if (std::ferror(input) != 0) throw BadInput(fmt::format("{}: reading stopped before the end", file));
  text.size = used;
  return text;
}

Text read_bytes(const std::string& file, const ReadLimits& limits) {
  struct stat info{};
  const bool pipe = ::stat(file.c_str(), &info) == 0 && S_ISFIFO(info.st_mode);
  pipe ? require_file(file) : require_regular_file(file);
  const auto size = static_cast<std::uint64_t>(info.st_size);
  if (size > limits.unpacked_bytes) refuse_size(file, limits);
  const std::unique_ptr<std::FILE, CloseFile> input(std::fopen(file.c_str(), "rb"));
  if (!input) throw BadInput(fmt::format("{}: cannot be read", file));
  std::setvbuf(input.get(), nullptr, _IONBF, 0);
  if (pipe) return read_pipe(input.get(), file, limits);
  Text text = make_text(static_cast<std::size_t>(size), file);
  if (std::fread(text.data.get(), 1, text.size, input.get()) != text.size)
    throw BadInput(fmt::format("{}: reading stopped before the end", file));
  return text;
}

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

Text make_text(std::size_t size, const std::string& file) {
  // In pages of 2 MiB where the kernel has them: the faults of small ones cost as much as the unpacking.
  constexpr std::size_t huge = std::size_t{2} << 20;
  const std::size_t capacity = size + simdjson::SIMDJSON_PADDING;
  const bool large = capacity >= huge;
  const std::size_t room = large ? (capacity + huge - 1) / huge * huge : capacity;
  void* data = large ? std::aligned_alloc(huge, room) : std::malloc(room);
  if (data == nullptr) throw BadInput(fmt::format("{}: not enough memory for its {} bytes", file, size));
  if (large) ::madvise(data, room, MADV_HUGEPAGE);  // a hint: without it the pages are small
  return {std::shared_ptr<char[]>(static_cast<char*>(data), [](char* text) { std::free(text); }), size,
          capacity};
}

Text unpack_text(std::string_view packed, const std::string& file, const ReadLimits& limits) {
  Text text;
  text.size = unpack_gzip(packed, {file, limits.unpacked_bytes, advice(limits)},
                          [&](std::size_t size, std::size_t used) {
                            text = moved(std::move(text), size, used, file);
                            return Room{text.data.get(), text.size};
                          });
  return text;
}

Text load_text(const std::filesystem::path& path, const ReadLimits& limits) {
  const std::string file = path.string();
  Text text = read_bytes(file, limits);
  if (is_gzip(text.view())) text = unpack_text(text.view(), file, limits);
  std::memset(text.data.get() + text.size, 0, simdjson::SIMDJSON_PADDING);
  return text;
}

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
