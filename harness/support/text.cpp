#include "harness/support/text.hpp"

#include <algorithm>
#include <array>

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

}  // namespace harness::inline support
