// The arguments of one event: what the record holds of them, and their text without what never repeats.
#pragma once

#include "harness/trace/json_walk.hpp"
#include "harness/trace/trace.hpp"

#include <cstring>

namespace harness::trace {

/// Compares with a word whose length the compiler knows.
template <std::size_t N>
bool is_key(std::string_view key, const char (&word)[N]) {
  return key.size() == N - 1 && std::memcmp(key.data(), word, N - 1) == 0;
}

/// An id as the text has it; `absent` where it is not a number.
std::int64_t number_of(std::string_view token);

/// -1 where it does not fit.
std::int32_t small(std::int64_t value);

/// 7 of "7" and of "stream 7".
std::int64_t trailing_number(std::string_view text);

class ArgumentReader {
 public:
  /// A new event, so far without arguments.
  void begin() { text_.clear(); }

  /// Fills the record; `label` is what the arguments call a process. Throws Unreadable.
  void read(JsonWalk& walk, Event& event, std::string_view& label);

  /// "{...}", or "" where the event has none.
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace harness::trace
