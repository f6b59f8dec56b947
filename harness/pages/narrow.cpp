#include "harness/pages/narrow.hpp"

#include "harness/support/text.hpp"

#include <algorithm>
#include <ranges>
#include <vector>

namespace harness::pages {
namespace {

std::size_t indent_of(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

/// Where the text begins: of "  name   text", of "  - text" and "  10. text", else where the line does.
std::size_t text_column(std::string_view line) {
  const auto begin = indent_of(line);
  const auto first = line.substr(begin, line.find(' ', begin) - begin);
  const bool number = first.ends_with('.') && first.find_first_not_of("0123456789.") == first.npos;
  if (begin > 0 && (first == "-" || number)) return std::min(begin + first.size() + 1, line.size());
  const auto gap = line.find("  ", begin);
  return begin == 0 || gap == line.npos ? begin : std::min(line.find_first_not_of(' ', gap), line.size());
}

/// As a line of a drawing or of a table with more than two columns has them.
bool has_gaps(std::string_view text) {
  return text.find("  ") != text.npos || text.find_first_of("|^") != text.npos;
}

/// A paragraph, or a name and its text: lines that belong together, with a text that begins at one column.
struct Passage {
  std::vector<std::string_view> lines = {};
  std::size_t column = 0;

  bool goes_on_with(std::string_view line) const {
    if (lines.empty() || lines.back().empty() || line.empty()) return false;
    const bool whole = column == 0 || column > indent_of(lines.front());
    return whole && indent_of(line) == column && text_column(line) == column &&
           !has_gaps(line.substr(column));
  }
  std::string text(const Style& style) const {
    constexpr std::size_t narrowest = 20;
    const auto room = static_cast<std::size_t>(style.columns);
    std::string words, whole;
    bool fits = true;
    for (const auto line : lines) {
      whole.append(line).append("\n");
      words.append(words.empty() ? "" : " ").append(line.substr(column));
      fits = fits && line.size() <= room;
    }
    if (fits || has_gaps(words) || column + narrowest > room) return whole;
    return indented(lines.front().substr(0, column), words, static_cast<int>(column), style);
  }
};

}  // namespace

std::string entry_text(std::string_view name, std::string_view text, int name_columns, const Style& style) {
  constexpr int fewest = 30, deeper = 4;
  const bool beside = style.columns - name_columns >= fewest;
  const auto lines = beside ? indented(name, text, name_columns, style)
                            : indented(std::string(name) + "\n", text, deeper, style);
  return inked(name, Ink::bold, style) + lines.substr(name.size());
}

std::string narrow_topic(std::string_view text, const Style& style) {
  std::string out;
  Passage passage;
  for (const auto& part : std::views::split(text, '\n')) {
    const std::string_view line(part.begin(), part.end());
    if (!passage.goes_on_with(line)) {
      out += passage.text(style);
      passage = {.column = text_column(line)};
    }
    passage.lines.push_back(line);
  }
  return out;  // behind the last end of a line nothing follows
}

}  // namespace harness::pages
