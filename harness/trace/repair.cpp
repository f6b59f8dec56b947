#include "harness/trace/repair.hpp"

#include "harness/trace/json_text.hpp"

#include <algorithm>
#include <cstdint>

namespace harness::trace {
namespace {

constexpr std::string_view instead_of_bytes = "\xef\xbf\xbd";  // U+FFFD

bool is_within(char c, int least, int most) {
  return static_cast<unsigned char>(c) >= least && static_cast<unsigned char>(c) <= most;
}

/// The length of the UTF-8 character at the start of the text; 0 where it is none.
std::size_t character_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  // Neither longer than needed, nor half a surrogate pair, nor beyond U+10FFFF.
  const int least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const int most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (!is_within(text[1], least, most)) return 0;
  const auto rest = text.substr(2, length - 2);
  return std::ranges::all_of(rest, [](char c) { return is_within(c, 0x80, 0xbf); }) ? length : 0;
}

class Repair {
 public:
  explicit Repair(std::string_view text) : json_(text) {}

  Repaired operator()() {
    std::size_t depth = 0;
    while (at_ < json_.size() && !out_.whole && !out_.odd_bracket) {
      const char c = json_[at_];
      if (c == '"') {
        copy_string();
        continue;
      }
      // No JSON; the parser takes it and a quote behind it for a part of the value.
      if (c == '\\' && (next_is('"') || next_is('\\'))) out_.text += json_[at_++];
      if (c == '[' || c == '{') ++depth;
      if (c == ']' || c == '}') {
        drop_last_comma();
        const bool closed = --depth == 0;
        out_.odd_bracket = closed && (c == ']') != (json_.front() == '[');
        out_.whole = closed && !out_.odd_bracket;
      }
      out_.text += json_[at_++];
    }
    out_.length = at_;
    return std::move(out_);
  }

 private:
  char next_visible(std::size_t at) const {
    while (at < json_.size() && is_json_blank(json_[at])) ++at;
    return at < json_.size() ? json_[at] : '\0';
  }

  bool next_is(char c) const { return at_ + 1 < json_.size() && json_[at_ + 1] == c; }

  /// True if a string may end there.
  bool may_end(std::size_t end) const {
    const char next = next_visible(end);
    return next == ',' || next == ':' || next == '}' || next == ']' || end == json_.size();
  }

  /// Behind the first quote that has a backslash before it and looks like the end of the string; 0: none.
  std::size_t end_behind_backslash(std::size_t end) const {
    for (std::size_t i = at_ + 1; i + 1 < end; ++i) {
      if (json_[i] != '\\' || json_[i + 1] != '"') continue;
      const char next = next_visible(i + 2);
      if (next == ',' || next == '}' || next == ']') return i + 2;
    }
    return 0;
  }

  void copy_string() {
    std::size_t end = at_ + string_length(json_.substr(at_)).value_or(json_.size() - at_);
    bool escape = false;
    if (!may_end(end) || end == json_.size())
      if (const auto earlier = end_behind_backslash(end); earlier > 0) {
        end = earlier;
        escape = out_.backslashes = true;
      }
    if (!may_end(end) && out_.odd_string.empty()) out_.odd_string = json_.substr(at_, end - at_);
    while (at_ < end) copy_character(end, escape);
  }

  void copy_character(std::size_t end, bool escape) {
    const char c = json_[at_];
    const auto length = character_length(json_.substr(at_, end - at_));
    if (length == 0) {
      out_.bytes = true;
      out_.text += instead_of_bytes;
    } else if (is_within(c, 0, 0x1f)) {
      out_.controls = true;
      out_.text += '?';
    } else {
      out_.text += json_.substr(at_, length);
      if (escape && c == '\\') out_.text += c;
    }
    at_ += std::max<std::size_t>(length, 1);
  }

  void drop_last_comma() {
    const auto last = out_.text.find_last_not_of(" \n\r\t");
    if (last != std::string::npos && out_.text[last] == ',') out_.text.resize(last);
  }

  std::string_view json_;
  std::size_t at_ = 0;
  Repaired out_;
};

}  // namespace

Repaired repaired(std::string_view json) { return Repair(json)(); }

}  // namespace harness::trace
