#include "harness/trace/trace_text.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/core/setup.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/read_text.hpp"
#include "harness/trace/json_text.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <sys/stat.h>
#include <utility>

namespace harness::trace {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

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

/// A pipe, whose size nobody knows beforehand.
Text read_pipe(std::FILE* input, const std::string& file, const ReadLimits& limits) {
  constexpr std::size_t first = std::size_t{1} << 20;
  Text text(first, file);
  std::size_t used = 0;
  for (;;) {
    used += std::fread(text.data() + used, 1, text.size() - used, input);
    if (used < text.size()) break;
    if (text.size() >= limits.unpacked_bytes) refuse_size(file, limits);
    const auto size = std::min<std::uint64_t>(std::uint64_t{text.size()} * 2, limits.unpacked_bytes);
    text.resize(static_cast<std::size_t>(size), file);
  }
  if (std::ferror(input) != 0) throw BadInput(fmt::format("{}: reading stopped before the end", file));
  text.resize(used, file);
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
  Text text(static_cast<std::size_t>(size), file);
  if (std::fread(text.data(), 1, text.size(), input.get()) != text.size())
    throw BadInput(fmt::format("{}: reading stopped before the end", file));
  return text;
}

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

Text::~Text() {
  if (data_ != nullptr) ::munmap(data_, mapped_);
}

Text& Text::operator=(Text&& other) noexcept {
  Text(std::move(other)).swap(*this);
  return *this;
}

void Text::swap(Text& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(mapped_, other.mapped_);
  std::swap(forgotten_, other.forgotten_);
}

void Text::resize(std::size_t size, const std::string& file) {
  const std::size_t room = std::max<std::size_t>(size, 1);
  if (room > mapped_) {
    void* data = data_ == nullptr
                     ? ::mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                     : ::mremap(data_, mapped_, room, MREMAP_MAYMOVE);
    if (data == MAP_FAILED) throw BadInput(fmt::format("{}: not enough memory for its {} bytes", file, size));
    data_ = static_cast<char*>(data);
    mapped_ = room;
    // A hint: the faults of pages of 4 KiB cost as much as the unpacking.
    if (room >= huge_page) ::madvise(data_, mapped_, MADV_HUGEPAGE);
  }
  size_ = size;
}

void Text::forget(std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(data_);
  const std::uintptr_t whole = (begin + bytes) / huge_page * huge_page;  // splitting a large page costs time
  if (whole <= begin + forgotten_) return;
  ::madvise(data_ + forgotten_, whole - begin - forgotten_, MADV_DONTNEED);
  forgotten_ = whole - begin;
}

Text unpack_text(std::string_view packed, const std::string& file, const ReadLimits& limits) {
  Text text;
  const auto size = unpack_gzip(packed, {file, limits.unpacked_bytes, advice(limits)}, [&](std::size_t room) {
    text.resize(room, file);
    return Room{text.data(), text.size()};
  });
  text.resize(size, file);
  return text;
}

Text load_text(const std::filesystem::path& path, const ReadLimits& limits) {
  const std::string file = path.string();
  Text text = read_bytes(file, limits);
  return is_gzip(text.view()) ? unpack_text(text.view(), file, limits) : std::move(text);
}

std::string rounded_text(double count) { return count_text(std::llround(count)); }

std::string_view taken(std::string_view& text, char end) {
  const auto at = text.find(end);
  const auto word = text.substr(0, at);
  text.remove_prefix(at == text.npos ? text.size() : at + 1);
  return word;
}

bool is_word_of(std::string_view list, std::string_view word) {
  while (!list.empty())
    if (taken(list, ' ') == word) return true;
  return false;
}

std::string_view trimmed(std::string_view token) {
  while (!token.empty() && is_json_blank(token.back())) token.remove_suffix(1);
  while (!token.empty() && is_json_blank(token.front())) token.remove_prefix(1);
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
