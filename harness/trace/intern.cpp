#include "harness/trace/intern.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace harness::trace {
namespace {

constexpr std::uint32_t replacement = 0xfffd;  // stands for half a surrogate pair

std::uint32_t hex4(std::string_view text) {
  std::uint32_t value = 0;
  if (text.size() < 4) throw std::invalid_argument("escape");
  const auto [end, error] = std::from_chars(text.data(), text.data() + 4, value, 16);
  if (error != std::errc{} || end != text.data() + 4) throw std::invalid_argument("escape");
  return value;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | (code >> 6));
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3f));
    put(0x80 | ((code >> 6) & 0x3f));
    put(0x80 | (code & 0x3f));
  }
}

bool is_high(std::uint32_t code) { return code >= 0xd800 && code < 0xdc00; }
bool is_low(std::uint32_t code) { return code >= 0xdc00 && code < 0xe000; }

/// Appends the escape at the start of `text` (behind its backslash and u); returns the characters it took.
std::size_t append_unicode(std::string& out, std::string_view text) {
  const std::uint32_t first = hex4(text);
  if (is_high(first) && text.size() >= 10 && text[4] == '\\' && text[5] == 'u') {
    const std::uint32_t second = hex4(text.substr(6));
    if (is_low(second)) {
      append_utf8(out, 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00));
      return 10;
    }
  }
  append_utf8(out, is_high(first) || is_low(first) ? replacement : first);
  return 4;
}

}  // namespace

std::string unescaped(std::string_view spelled) {
  constexpr std::string_view letters = "\"\\/bfnrt";
  constexpr std::string_view meaning = "\"\\/\b\f\n\r\t";
  std::string out;
  out.reserve(spelled.size());
  for (std::size_t i = 0; i < spelled.size(); ++i) {
    if (spelled[i] != '\\') {
      out += spelled[i];
      continue;
    }
    if (++i == spelled.size()) throw std::invalid_argument("escape");
    if (spelled[i] == 'u') {
      i += append_unicode(out, spelled.substr(i + 1));
    } else if (const auto which = letters.find(spelled[i]); which != std::string_view::npos) {
      out += meaning[which];
    } else {
      throw std::invalid_argument("escape");
    }
  }
  return out;
}

NameId Interner::add(std::string_view name) {
  const auto id = static_cast<NameId>(names.size());
  ids_.emplace(name, id);
  auto clean = printable(name);
  names.push_back(clean == name ? name : own.emplace_back(std::move(clean)));
  return id;
}

NameId Interner::intern(std::string_view spelled) {
  if (spelled.find('\\') == std::string_view::npos) {
    const auto known = ids_.find(spelled);
    return known != ids_.end() ? known->second : add(spelled);
  }
  std::string name = unescaped(spelled);
  if (const auto known = ids_.find(name); known != ids_.end()) return known->second;
  own.push_back(std::move(name));
  return add(own.back());
}

}  // namespace harness::trace
