#include "harness/support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace harness::inline support {

std::string join_or(std::span<const std::string> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::vector<std::string> wrap(std::string_view text, int width) {
  const auto limit = static_cast<std::size_t>(std::max(width, 1));
  std::vector<std::string> lines;
  std::size_t at = 0;
  while ((at = text.find_first_not_of(" \n", at)) != text.npos) {
    const auto end = std::min(text.find_first_of(" \n", at), text.size());
    const auto word = text.substr(at, end - at);
    if (!lines.empty() && lines.back().size() + 1 + word.size() <= limit)
      lines.back().append(" ").append(word);
    else
      lines.emplace_back(word);
    at = end;
  }
  return lines;
}

std::string indented(std::string_view lead, std::string_view text, int indent, const Style& style) {
  const auto column = static_cast<std::size_t>(indent);
  std::string out(lead);
  for (const auto& line : wrap(text, style.columns - indent)) {
    const auto begin = out.rfind('\n') == out.npos ? 0 : out.rfind('\n') + 1;
    const auto used = out.size() - begin;
    out.append(used <= column ? column - used : 1, ' ').append(line).append("\n");
  }
  if (!out.ends_with('\n')) out += '\n';
  return out;
}

std::string stacked(const std::string& name, std::span<const std::string> cells, const Style& style) {
  constexpr std::string_view margin = "  ", gap = "  ", below = "\n    ";
  const auto room = static_cast<std::size_t>(std::max(style.columns, 1));
  std::string out(margin);
  out += without_middle(name, room - std::min(room, margin.size()));
  std::size_t used = room;  // behind the name no cell has room
  for (const auto& cell : cells) {
    if (cell.empty()) continue;
    const bool fits = used + gap.size() + cell.size() <= room;
    out.append(fits ? gap : below).append(cell);
    used = (fits ? used + gap.size() : below.size() - 1) + cell.size();
  }
  return out + "\n";
}

std::string reflowed(std::string_view text, const Style& style) {
  std::string out;
  std::string paragraph;
  const auto end_paragraph = [&] {
    for (const auto& line : wrap(paragraph, style.columns)) out.append(line).append("\n");
    paragraph.clear();
  };
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    const bool flows = !line.empty() && std::string_view(" -|").find(line[0]) == std::string_view::npos;
    if (flows)
      paragraph.append(line).append(" ");
    else {
      end_paragraph();
      out.append(line).append("\n");
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  end_paragraph();
  return out;
}

std::string inked(std::string_view text, Ink ink, const Style& style) {
  constexpr std::array codes{"", "1", "2", "32", "31", "33"};
  if (!style.colour || ink == Ink::plain || text.empty()) return std::string(text);
  return "\x1b[" + std::string(codes[static_cast<std::size_t>(ink)]) + "m" + std::string(text) + "\x1b[0m";
}

namespace {

/// Characters of UTF-8 that share all bytes but the last.
struct Hidden {
  std::string_view before;
  unsigned char first, last;
};
constexpr std::array<Hidden, 7> hidden_characters{{
    {"", 0x00, 0x1f},          // controls
    {"", 0x7f, 0x7f},          // delete
    {"\xc2", 0x80, 0x9f},      // controls that some terminals obey
    {"\xd8", 0x9c, 0x9c},      // mark of Arabic letters
    {"\xe2\x80", 0x8e, 0x8f},  // marks of direction
    {"\xe2\x80", 0xa8, 0xae},  // separators, embeddings and overrides
    {"\xe2\x81", 0xa6, 0xa9},  // isolates
}};

/// The length of what `inked` writes, where the text begins with it; else 0.
std::size_t ink_length(std::string_view text) {
  for (const std::string_view ink : {"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m"})
    if (text.starts_with(ink)) return ink.size();
  return 0;
}

/// The length in bytes of a character that is not shown, where the text begins with one; else 0.
std::size_t hidden_length(std::string_view text) {
  for (const auto& [before, first, last] : hidden_characters) {
    if (text.size() <= before.size() || !text.starts_with(before)) continue;
    const auto end = static_cast<unsigned char>(text[before.size()]);
    if (end >= first && end <= last) return before.size() + 1;
  }
  return 0;
}

/// The length in bytes of the character of UTF-8 that the text begins with; 0 where its bytes are none.
std::size_t character_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const std::size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const auto others = text.substr(1, length - 1);
  const auto continues = [](unsigned char c) { return (c & 0xc0U) == 0x80U; };
  return others.size() == length - 1 && std::ranges::all_of(others, continues) ? length : 0;
}

/// The code point of a whole character of UTF-8 that has at most three bytes.
unsigned code_point(std::string_view character) {
  unsigned code = static_cast<unsigned char>(character.front()) & (character.size() == 1   ? 0x7fU
                                                                   : character.size() == 2 ? 0x1fU
                                                                                           : 0x0fU);
  for (const char c : character.substr(1)) code = code << 6 | (static_cast<unsigned char>(c) & 0x3fU);
  return code;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto length = character_length(text);
    if (length == 0 || hidden_length(text) > 0)
      out += '?';
    else
      out += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string printable_lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto kept = text.starts_with('\n') ? 1 : ink_length(text);
    const auto other = std::min(text.find_first_of("\n\x1b", 1), text.size());
    out += kept > 0 ? std::string(text.substr(0, kept)) : printable(text.substr(0, other));
    text.remove_prefix(kept > 0 ? kept : other);
  }
  return out;
}

std::string printable_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  while (!json.empty()) {
    const bool plain = static_cast<unsigned char>(json.front()) < 0x7f;
    const auto length = plain ? 0 : hidden_length(json);
    out += length > 0 ? fmt::format("\\u{:04x}", code_point(json.substr(0, length)))
                      : std::string(1, json.front());
    json.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string shown(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string result = "\"";
  for (const char c : text.substr(0, most)) result += c >= ' ' && c <= '~' ? c : '?';
  return result + (text.size() > most ? "...\"" : "\"");
}

}  // namespace harness::inline support
