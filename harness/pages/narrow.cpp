#include "harness/pages/narrow.hpp"

#include "harness/support/text.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace harness::pages {
namespace {

constexpr std::size_t deeper = 4;

std::vector<std::string_view> listed_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::size_t indent_of(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

/// Words in lines that begin with `lead`.
std::string wrapped(std::string_view lead, std::string_view words, std::size_t columns) {
  std::string out;
  for (const auto& line : wrap(words, static_cast<int>(columns - std::min(columns, lead.size()))))
    out.append(lead).append(line).append("\n");
  return out;
}

/// The line, and below it, deeper, what finds no room.
std::string hanging(std::string_view line, std::size_t columns) {
  const std::string indent(line.substr(0, indent_of(line)));
  return wrapped(indent + std::string(deeper, ' '), line.substr(indent.size()), columns)
      .erase(indent.size(), deeper);
}

using LineBlock = std::vector<std::string_view>;

/// "  - text", "  10. text": where the text begins; 0: the line is no item.
std::size_t column_of_item(std::string_view line) {
  const auto begin = indent_of(line);
  if (begin == 0 || begin > 3) return 0;
  const auto end = std::min(line.find(' ', begin), line.size());
  const auto mark = line.substr(begin, end - begin);
  const bool number = mark.ends_with('.') && mark.find_first_not_of("0123456789.") == mark.npos;
  return mark == "-" || number ? end + 1 : 0;
}

bool has_gaps(std::string_view text) {
  return text.find("  ") != text.npos || text.find_first_of("|^") != text.npos;
}

/// Of a list of names ("  name   text", or the name alone and its text below), where the texts begin; 0: the
/// block is none, but a drawing, say.
std::size_t column_of_names(const LineBlock& block) {
  std::size_t column = 0;
  for (const auto line : block)
    if (const auto gap = line.find("  ", 2); column == 0 && indent_of(line) == 2 && gap != line.npos)
      column = std::min(line.find_first_not_of(' ', gap), line.size());
  const bool all = column > 0 && std::ranges::all_of(block, [&](std::string_view line) {
                     if (indent_of(line) == column) return !has_gaps(line.substr(column));
                     if (indent_of(line) != 2) return false;
                     if (!has_gaps(line.substr(2)) && line.size() < 2 * column + 10)
                       return true;  // a name alone
                     return line.size() > column && line[column - 1] == ' ' && line[column] != ' ' &&
                            !has_gaps(line.substr(column));
                   });
  return all ? column : 0;
}

/// An entry of a list, whose text begins at that column.
std::string narrow_entry(const LineBlock& lines, std::size_t column, std::size_t columns) {
  constexpr std::size_t narrowest = 20;
  const bool beside = column + narrowest <= columns;
  std::string words;
  for (const auto line : lines)
    if (line.size() > column) words.append(line.substr(column)).append(" ");
  std::string name(lines.front().substr(0, std::min(column, lines.front().size())));
  const bool alone = lines.front().size() <= column || lines.front()[column - 1] != ' ';
  if (alone) {
    name = lines.front();
    words.clear();
    for (const auto line : std::span(lines).subspan(1)) words.append(line.substr(column)).append(" ");
  }
  auto text = wrapped(std::string(beside ? column : 2 + deeper, ' '), words, columns);
  if (beside && !alone) return text.replace(0, column, name);
  return name.erase(name.find_last_not_of(' ') + 1) + "\n" + text;
}

std::string narrow_block(const LineBlock& block, std::size_t columns) {
  std::string out, prose;
  const auto names = column_of_names(block);
  for (std::size_t i = 0; i < block.size();) {
    const auto line = block[i];
    if (indent_of(line) == 0 && !has_gaps(line)) {
      prose.append(line).append(" ");
      ++i;
      continue;
    }
    out += wrapped("", std::exchange(prose, {}), columns);
    const auto column = names > 0 && indent_of(line) == 2 ? names : column_of_item(line);
    LineBlock entry{line};
    for (++i; column > 0 && i < block.size() && indent_of(block[i]) == column &&
              !has_gaps(block[i].substr(column));
         ++i)
      entry.push_back(block[i]);
    if (std::ranges::all_of(entry, [&](std::string_view one) { return one.size() <= columns; }))
      for (const auto one : entry) out.append(one).append("\n");
    else if (column > 0)
      out += narrow_entry(entry, column, columns);
    else if (has_gaps(line.substr(indent_of(line))))
      out.append(line).append("\n");
    else
      out += hanging(line, columns);
  }
  return out + wrapped("", prose, columns);
}

}  // namespace

std::string entry_text(std::string_view name, std::string_view text, int name_columns, const Style& style) {
  constexpr int fewest = 30;
  const bool beside = style.columns - name_columns >= fewest;
  const auto lines = beside ? indented(name, text, name_columns, style)
                            : indented(std::string(name) + "\n", text, static_cast<int>(deeper), style);
  return inked(name, Ink::bold, style) + lines.substr(name.size());
}

std::string narrow_topic(std::string_view text, int columns) {
  std::string out;
  const auto room = static_cast<std::size_t>(std::max(columns, 1));
  LineBlock block;
  const auto end_block = [&] {
    const bool fits = std::ranges::all_of(block, [&](std::string_view line) { return line.size() <= room; });
    for (const auto line : block)
      if (fits) out.append(line).append("\n");
    if (!fits) out += narrow_block(block, room);
    block.clear();
  };
  for (const auto line : listed_lines(text)) {
    const bool other = !block.empty() && (indent_of(line) == 0) != (indent_of(block.back()) == 0);
    if (line.empty() || other) end_block();
    if (line.empty())
      out += "\n";
    else
      block.push_back(line);
  }
  end_block();
  return out;
}

}  // namespace harness::pages
