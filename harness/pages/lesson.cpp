#include "harness/pages/lesson.hpp"

#include <algorithm>
#include <iterator>
#include <regex>

namespace harness::pages {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool declares_nothing(const std::string& line) {
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

/// The last line of the declaration that begins at `first`, or the empty line behind a comment of its own.
std::size_t end_of(const std::vector<std::string>& lines, std::size_t first) {
  int depth = 0;
  for (auto i = first; i < lines.size(); ++i) {
    if (depth == 0 && lines[i].empty()) return i - 1;
    depth += brackets(lines[i]);
    const bool closed = lines[i].ends_with(";") || lines[i].ends_with("}");
    if (depth == 0 && closed && !lines[i].starts_with("//")) return i;
  }
  return lines.size() - 1;
}

bool uses(const std::string& text, const std::string& name) {
  return !name.empty() && std::regex_search(text, std::regex("\\b" + name + "\\b"));
}

/// The name behind ".prepare = " in the record of the step; "prepare" where it cannot be found.
std::string prepare_name(const std::string& source, std::string_view step_id) {
  const auto record = source.find(".id = \"" + std::string(step_id) + "\"");
  const auto tail = source.substr(record == source.npos ? 0 : record);
  std::smatch found;
  return std::regex_search(tail, found, std::regex(R"(\.prepare = (\w+))")) ? found[1].str() : "prepare";
}

/// Takes the step's function, or its record, and what that uses, from its own place upwards. False where
/// there is neither.
bool take_needed(SourceBlocks& source, const std::string& prepare, const std::string& id) {
  auto& blocks = source.blocks();
  auto found = std::ranges::find_if(blocks, [&](const Block& block) {
    return source.name(block) == prepare && source.text(block).find("Trial") != std::string::npos;
  });
  if (found == blocks.end())
    found = std::ranges::find_if(blocks, [&](const Block& block) {
      return source.text(block).find(".id = \"" + id + "\"") != std::string::npos;
    });
  if (found == blocks.end()) return false;
  found->taken = true;
  auto taken = source.text(*found);
  for (auto block = std::make_reverse_iterator(found); block != blocks.rend(); ++block) {
    if (!uses(taken, source.name(*block))) continue;
    block->taken = true;
    taken += source.text(*block);
  }
  return true;
}

/// The taken blocks, one empty line between them, and "..." where something was left out.
Excerpt excerpt_of(SourceBlocks& source) {
  Excerpt excerpt;
  bool left_out = false;
  for (const auto& block : source.blocks()) {
    left_out = left_out || (!block.taken && excerpt.first > 0);
    if (!block.taken) continue;
    if (excerpt.first == 0) excerpt.first = static_cast<int>(block.first) + 1;
    const bool adjacent = excerpt.last == static_cast<int>(block.first);
    if (!excerpt.text.empty() && !adjacent) excerpt.text += left_out ? "\n...\n\n" : "\n";
    excerpt.text += source.text(block);
    excerpt.last = static_cast<int>(block.last) + 1;
    left_out = false;
  }
  return excerpt;
}

std::vector<std::string> paragraphs_of(std::string_view text) {
  std::vector<std::string> paragraphs;
  while (!text.empty()) {
    const auto end = std::min(text.find("\n\n"), text.size());
    paragraphs.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  if (!paragraphs.empty() && paragraphs.back().ends_with('\n')) paragraphs.back().pop_back();
  return paragraphs;
}

}  // namespace

SourceBlocks::SourceBlocks(std::string_view source) : lines_(lines_of(source)) {
  std::size_t i = 0;
  while (i < lines_.size() && lines_[i].starts_with("//")) ++i;
  for (; i < lines_.size(); ++i) {
    if (declares_nothing(lines_[i])) continue;
    blocks_.push_back({.first = i, .last = end_of(lines_, i)});
    i = blocks_.back().last;
  }
}

std::string SourceBlocks::text(std::size_t first, std::size_t last) const {
  std::string text;
  for (auto i = first; i <= last && i < lines_.size(); ++i) text += lines_[i] + "\n";
  return text;
}

std::string SourceBlocks::name(const Block& block) const {
  static const std::regex type(R"(^(?:struct|class|enum class)\s+(\w+))");
  static const std::regex other(R"((\w+)\s*(?:\(|\[\]\s*=|\{|=))");
  auto first = block.first;
  while (first <= block.last && lines_[first].starts_with("//")) ++first;
  const auto bare = text(first, block.last);
  std::smatch found;
  if (std::regex_search(bare, found, type) || std::regex_search(bare, found, other)) return found[1];
  return {};
}

std::size_t SourceBlocks::behind_includes() const {
  std::size_t line = 0;
  for (std::size_t i = 0; i < lines_.size(); ++i)
    if (lines_[i].starts_with("#include")) line = i + 1;
  while (line < lines_.size() && lines_[line].empty()) ++line;
  return line;
}

std::string lesson_of(std::string_view source) {
  std::string lesson;
  while (source.starts_with("//")) {
    const auto end = std::min(source.find('\n'), source.size());
    auto line = source.substr(2, end - 2);
    if (line.starts_with(' ')) line.remove_prefix(1);
    lesson.append(line).append("\n");
    source.remove_prefix(std::min(end + 1, source.size()));
  }
  return lesson;
}

LessonParts parts_of(std::string_view lesson) {
  constexpr std::string_view asked = "Question: ", answered = "Answer: ";
  LessonParts parts;
  for (const auto& paragraph : paragraphs_of(lesson)) {
    if (parts.title.empty()) {
      parts.title = paragraph;
      continue;
    }
    if (paragraph.starts_with(asked)) {
      parts.question = paragraph.substr(asked.size());
      continue;
    }
    if (paragraph.starts_with(answered)) {
      parts.answer = paragraph.substr(answered.size());
      continue;
    }
    const bool when = paragraph.starts_with("When ") || paragraph.starts_with("What it costs");
    auto& part = when ? parts.when : parts.when.empty() ? parts.hardware : parts.measured;
    part.append(part.empty() ? "" : "\n\n").append(paragraph);
  }
  return parts;
}

Excerpt code_of(std::string_view text, std::string_view step_id) {
  SourceBlocks source(text);
  if (take_needed(source, prepare_name(std::string(text), step_id), std::string(step_id)))
    return excerpt_of(source);
  const auto first = source.behind_includes();
  if (first >= source.lines()) return {};
  return {source.text(first, source.lines() - 1), static_cast<int>(first) + 1,
          static_cast<int>(source.lines())};
}

std::string switch_of(std::string_view source) {
  const std::string text(source);
  std::smatch found;
  return std::regex_search(text, found, std::regex(R"(Switches::(\w+))")) ? found[1].str() : std::string();
}

Excerpt code_behind_switch(std::string_view text, const std::string& name) {
  SourceBlocks source(text);
  const std::regex asked("\\bswitches_?\\." + name + "\\b(?! =)");
  for (auto& block : source.blocks()) block.taken = std::regex_search(source.text(block), asked);
  return excerpt_of(source);
}

}  // namespace harness::pages
