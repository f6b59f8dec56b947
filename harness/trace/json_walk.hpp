// JSON text by its grammar, from one place that simdjson has found to the next. What nobody asks for is held
// to the grammar as well: whether text is JSON depends on nothing else.
#pragma once

#include "harness/trace/json_text.hpp"

#include <simdjson.h>

#include <cstdint>
#include <string>

namespace harness::trace {

/// Why text is not JSON.
struct Unreadable {
  const char* why;
};

/// Each call throws Unreadable where the grammar wants something else.
class JsonWalk {
 public:
  /// Goes to the start of the text, which has to outlive the walk.
  void open(std::string_view text);

  /// The character to come; '\0' at the end.
  char peek() const { return next_ == end_ ? '\0' : text_[*next_]; }
  /// Its place in the text; at the end, the text's size.
  std::size_t place() const { return next_ == end_ ? text_.size() : *next_; }
  /// Passes it if it is this one.
  bool take(char c) {
    const bool is = peek() == c;
    next_ += is ? 1 : 0;
    return is;
  }

  bool is_nest() const { return peek() == '{' || peek() == '['; }
  /// Passes a value of any kind. Returns its text.
  std::string_view value() { return is_nest() ? nest() : scalar(); }

  /// Passes an object, of which `visit(key)` passes the values. A key stands between its quotes.
  template <class Visit>
  void members(const Visit& visit) {
    each('{', '}', [&] { visit(key()); });
  }

  /// Passes a list, of which `visit()` passes the values.
  template <class Visit>
  void entries(const Visit& visit) {
    each('[', ']', visit);
  }

 private:
  template <class Visit>
  void each(char begin, char end, const Visit& visit) {
    want(begin, begin == '{' ? "an object is expected" : "a list is expected");
    if (take(end)) return;
    do visit();
    while (take(','));
    want(end, no_end);
  }

  void want(char c, const char* why) {
    if (!take(c)) throw Unreadable{why};
  }

  std::string_view scalar() {
    const auto begin = place();
    const char first = peek();
    if (next_ == end_ || first == ',' || first == ':' || first == ']' || first == '}')
      throw Unreadable{"a value is missing"};
    ++next_;
    auto end = place();
    while (is_json_blank(text_[end - 1])) --end;
    return text_.substr(begin, end - begin);
  }

  std::string_view key() {
    if (peek() != '"') throw Unreadable{"a name in quotes is expected"};
    const auto name = scalar();
    want(':', "a colon is missing");
    return name.substr(1, name.size() - 2);
  }

  std::string_view nest();

  static constexpr const char* no_end = "a comma or a closing bracket is missing";

  std::string_view text_;
  const std::uint32_t* next_ = nullptr;
  const std::uint32_t* end_ = nullptr;
  std::string open_;  // brackets of a value that is passed
  simdjson::dom::parser parser_;
};

}  // namespace harness::trace
