// The arguments of one event: what the record holds of them, and their text without what never repeats.
#pragma once

#include "harness/trace/trace.hpp"

#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace harness::trace {

/// Compares a key in the text (up to its closing quote); the buffer is padded, so reading on is safe.
template <std::size_t N>
bool is_key(const char* key, const char (&word)[N]) {
  return std::memcmp(key, word, N - 1) == 0 && key[N - 1] == '"';
}

/// The value's token. Throws simdjson_error where there is none, or where no member and no end follows it:
/// the parser passes over a string that a colon follows as if it were a name, and over what comes then.
std::string_view checked_token(simdjson::ondemand::value& value);

/// An id as the text has it; `absent` where it is no number.
std::int64_t number_of(std::string_view token);

/// -1 where it does not fit.
std::int32_t small(std::int64_t value);

/// 7 of "7" and of "stream 7".
std::int64_t trailing_number(std::string_view text);

class ArgumentReader {
 public:
  /// A new event, so far without arguments.
  void begin() { text_.clear(); }

  /// Fills the record; `label` is what the arguments call a process. Throws simdjson_error.
  void read(simdjson::ondemand::value& value, simdjson::ondemand::document& document, Event& event,
            std::string_view& label);

  /// "{...}", or "" where the event has none.
  const std::string& text() const { return text_; }

 private:
  void keep(const char* begin, const char* end);

  std::string text_;
};

}  // namespace harness::trace
