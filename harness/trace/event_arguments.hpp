// The arguments of one event: what the record holds of them, their text without what never repeats, and
// shapes, types and plain values as the profiler writes them.
#pragma once

#include "harness/trace/efforts.hpp"
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

/// "[[64, 3], [], [[2, 2], [3]]]" -> {{64, 3}, {}, {}}: a list of tensors has no shape of its own.
std::vector<Shape> parse_shapes(std::string_view json);

/// "[1, 1]" or "\"[1, 1]\"" -> {1, 1}; a single number is a list of one.
Shape parse_list(std::string_view json);

/// The elements of a JSON list of strings, without quotes: "[\"float\", \"\"]" -> {float, ""}.
std::vector<std::string_view> parse_strings(std::string_view json);

/// What the event's arguments say of its operands.
Recorded recorded(const Trace& trace, const Event& event);

}  // namespace harness::trace
