#include "harness/cli/lesson.hpp"

#include <algorithm>
#include <regex>
#include <vector>

namespace harness {
namespace {

using Lines = std::vector<std::string>;

/// A declaration at the left margin: lines [first, last] of the file, from 0.
struct Block {
  std::size_t first = 0;
  std::size_t last = 0;
  bool taken = false;
};

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool opens_nothing(const std::string& line) {
  return line.empty() || line.starts_with("#") || line.starts_with("namespace") ||
         line.starts_with("using ") || line.starts_with("}  // namespace");
}

/// How many more brackets the line opens than it closes.
int brackets(std::string_view line) {
  int depth = 0;
  for (const char c : line.substr(0, line.find("//"))) {
    if (c == '(' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '}' || c == ']') --depth;
  }
  return depth;
}

/// Splits the file into its declarations; a comment belongs to what follows it at once.
std::vector<Block> blocks_of(const Lines& lines) {
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (opens_nothing(lines[i])) continue;
    const auto first = i;
    int depth = 0;
    for (; i < lines.size(); ++i) {
      if (depth == 0 && lines[i].empty()) break;
      depth += brackets(lines[i]);
      const bool closed = lines[i].ends_with(";") || lines[i].ends_with("}");
      if (depth == 0 && closed && !lines[i].starts_with("//")) break;
    }
    blocks.push_back({first, std::min(i, lines.size() - 1)});
  }
  return blocks;
}

std::string text_of(const Lines& lines, const Block& block) {
  std::string text;
  for (auto i = block.first; i <= block.last; ++i) text += lines[i] + "\n";
  return text;
}

/// The name that the declaration introduces; empty where none is recognised.
std::string name_of(const std::string& declaration) {
  static const std::regex comment("^//[^\n]*\n");
  static const std::regex type(R"(^(?:struct|class|enum class|using)\s+(\w+))");
  static const std::regex other(R"((\w+)\s*(?:\(|\[\]\s*=|\{|=))");
  auto bare = declaration;
  while (bare.starts_with("//"))
    bare = std::regex_replace(bare, comment, "", std::regex_constants::format_first_only);
  std::smatch found;
  if (std::regex_search(bare, found, type)) return found[1];
  return std::regex_search(bare, found, other) ? found[1].str() : std::string();
}

bool uses(const std::string& text, const std::string& name) {
  return !name.empty() && std::regex_search(text, std::regex("\\b" + name + "\\b"));
}

/// The name behind ".prepare = " in the record of the step; "prepare" where it cannot be found.
std::string prepare_name(const std::string& source, std::string_view step_id) {
  const auto record = source.find(".id = \"" + std::string(step_id) + "\"");
  std::smatch found;
  const auto tail = source.substr(record == source.npos ? 0 : record);
  return std::regex_search(tail, found, std::regex(R"(\.prepare = (\w+))")) ? found[1].str() : "prepare";
}

/// Takes what the prepared function uses, from its own place upwards. False where there is no such function.
bool take_needed(const Lines& lines, std::vector<Block>& blocks, const std::string& prepare) {
  const auto function = std::ranges::find_if(blocks, [&](const Block& block) {
    const auto text = text_of(lines, block);
    return name_of(text) == prepare && text.find("Trial") != text.npos;
  });
  if (function == blocks.end()) return false;
  function->taken = true;
  auto taken = text_of(lines, *function);
  for (auto block = std::make_reverse_iterator(function); block != blocks.rend(); ++block) {
    const auto text = text_of(lines, *block);
    if (!uses(taken, name_of(text))) continue;
    block->taken = true;
    taken += text;
  }
  return true;
}

std::size_t behind_includes(const Lines& lines) {
  std::size_t line = 0;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].starts_with("#include")) line = i + 1;
  while (line < lines.size() && lines[line].empty()) ++line;
  return line;
}

}  // namespace

std::string lesson_of(std::string_view source) {
  std::string lesson;
  for (const auto& line : lines_of(source)) {
    if (!line.starts_with("//")) break;
    lesson += line.substr(line.starts_with("// ") ? 3 : 2) + "\n";
  }
  return lesson;
}

Excerpt code_of(std::string_view source, std::string_view step_id) {
  const auto lines = lines_of(source);
  auto blocks = blocks_of(lines);
  Excerpt excerpt;
  if (!take_needed(lines, blocks, prepare_name(std::string(source), step_id))) {
    const auto first = behind_includes(lines);
    if (first < lines.size())
      excerpt = {text_of(lines, {first, lines.size() - 1}), static_cast<int>(first) + 1,
                 static_cast<int>(lines.size())};
    return excerpt;
  }
  bool left_out = false;
  for (const auto& block : blocks) {
    left_out = left_out || (!block.taken && excerpt.first > 0);
    if (!block.taken) continue;
    if (excerpt.first == 0) excerpt.first = static_cast<int>(block.first) + 1;
    const bool adjacent = excerpt.last == static_cast<int>(block.first);
    if (!excerpt.text.empty() && !adjacent) excerpt.text += left_out ? "\n...\n\n" : "\n";
    excerpt.text += text_of(lines, block);
    excerpt.last = static_cast<int>(block.last) + 1;
    left_out = false;
  }
  return excerpt;
}

}  // namespace harness
