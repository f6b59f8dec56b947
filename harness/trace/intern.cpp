#include "harness/trace/intern.hpp"

#include <charconv>
#include <utility>

namespace harness::trace {
namespace {

constexpr std::uint32_t replacement = 0xfffd;  // stands for half a surrogate pair

std::optional<std::uint32_t> hex4(std::string_view text) {
  std::uint32_t value = 0;
  if (text.size() < 4) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + 4, value, 16);
  if (error != std::errc{} || end != text.data() + 4) return std::nullopt;
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

/// Appends the escape at the start of `text` (behind its backslash and u); returns the characters it took, 0
/// where it is malformed.
std::size_t append_unicode(std::string& out, std::string_view text) {
  const auto first = hex4(text);
  if (!first) return 0;
  if (is_high(*first) && text.size() >= 10 && text[4] == '\\' && text[5] == 'u') {
    const auto second = hex4(text.substr(6));
    if (!second) return 0;
    if (is_low(*second)) {
      append_utf8(out, 0x10000 + ((*first - 0xd800) << 10) + (*second - 0xdc00));
      return 10;
    }
  }
  append_utf8(out, is_high(*first) || is_low(*first) ? replacement : *first);
  return 4;
}

/// "C:\Users", which JSON should spell "C:\\Users".
bool begins_as_path(std::string_view spelled) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return spelled.size() > 3 && letter(spelled[0]) && spelled[1] == ':' && spelled[2] == '\\' &&
         spelled[3] != '\\';
}

/// "torch\nn\functional.py(3029): f", of which JSON makes a new line and a new page: no frame of Python's has
/// those.
bool breaks_a_frame(std::string_view text) {
  return text.find(".py(") != text.npos && text.find_first_of("\b\f\n\r\t") != text.npos;
}

}  // namespace

std::optional<std::string> unescaped(std::string_view spelled) {
  constexpr std::string_view letters = "\"\\/bfnrt";
  constexpr std::string_view meaning = "\"\\/\b\f\n\r\t";
  std::string out;
  out.reserve(spelled.size());
  for (std::size_t i = 0; i < spelled.size(); ++i) {
    if (spelled[i] != '\\') {
      out += spelled[i];
      continue;
    }
    if (++i == spelled.size()) return std::nullopt;
    if (spelled[i] == 'u') {
      const auto taken = append_unicode(out, spelled.substr(i + 1));
      if (taken == 0) return std::nullopt;
      i += taken;
    } else if (const auto which = letters.find(spelled[i]); which != std::string_view::npos) {
      out += meaning[which];
    } else {
      return std::nullopt;
    }
  }
  return out;
}

Understood understood(std::string_view spelled) {
  auto text = begins_as_path(spelled) ? std::nullopt : unescaped(spelled);
  if (text && !breaks_a_frame(*text)) return {std::move(*text), false};
  text.emplace();
  for (std::size_t i = 0; i < spelled.size(); ++i)
    if (!spelled.substr(i).starts_with("\\\"")) *text += spelled[i];
  return {std::move(*text), true};
}

std::optional<NameId> Interner::find(std::string_view text) const {
  const auto known = ids_.find(text);
  return known == ids_.end() ? std::nullopt : std::optional(known->second);
}

NameId Interner::intern(std::string_view text) {
  if (const auto known = find(text)) return *known;
  const auto id = static_cast<NameId>(texts.size());
  texts.emplace_back(text);
  ids_.emplace(texts.back(), id);
  return id;
}

}  // namespace harness::trace
