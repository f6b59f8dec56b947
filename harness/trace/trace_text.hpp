// Small things that every reader of a trace and every count over it needs: the bytes of the file, unpacked;
// numbers as a trace writes them, microseconds with a fraction, ids with or without quotes.
#pragma once

#include "harness/trace/trace.hpp"

#include <algorithm>
#include <initializer_list>

namespace harness::trace {

/// The bytes of a file, in pages of their own, so that it grows without a copy and its beginning can be given
/// back.
class Text {
 public:
  Text() = default;
  /// Zeros. Throws BadInput, naming `file`, where memory is short.
  Text(std::size_t size, const std::string& file) { resize(size, file); }
  Text(Text&& other) noexcept { swap(other); }
  Text& operator=(Text&& other) noexcept;
  ~Text();

  char* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::string_view view() const { return {data_, size_}; }

  /// What it held stays, as far as it fits. Throws as the constructor does.
  void resize(std::size_t size, const std::string& file);

  /// Gives the memory of the first `bytes` back; they read as zeros from then on.
  void forget(std::size_t bytes);

 private:
  void swap(Text& other) noexcept;

  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t mapped_ = 0;
  std::size_t forgotten_ = 0;
};

/// Reads a plain or a gzip file (any number of members), or a pipe of either. Throws BadInput.
Text load_text(const std::filesystem::path& path, const ReadLimits& limits);

/// Unpacks gzip data that lie in memory; `file` only names them in messages.
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

/// "249,691", of a mean.
std::string rounded_text(double count);

constexpr double us_per_ns = 1e-3;

constexpr double us_of(std::int64_t ns) { return static_cast<double>(ns) * us_per_ns; }

/// 0 of nothing.
constexpr double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

/// Answers a question about the name of an event, asked once for each name.
template <class Ask>
class ByName {
 public:
  ByName(const Trace& trace, Ask ask) : trace_(trace), ask_(ask), known_(trace.names.size()) {}

  auto operator()(const Event& event) {
    auto& known = known_[event.name];
    if (!known) known = ask_(trace_.name(event));
    return *known;
  }

 private:
  const Trace& trace_;
  Ask ask_;
  std::vector<std::optional<std::invoke_result_t<Ask, std::string_view>>> known_;
};

/// True if the event is one of those that are counted; an empty list counts all.
inline bool takes_part(const std::vector<bool>& inside, EventId id) { return inside.empty() || inside[id]; }

/// What stands before the next such character, which is taken away with it.
std::string_view taken(std::string_view& text, char end);

/// True if the text is one of the words.
inline bool is_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

/// The same of a list with a blank between each two words.
bool is_word_of(std::string_view list, std::string_view word);

/// True if one of the words stands somewhere in the text.
inline bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != text.npos; });
}

}  // namespace harness::trace
