#include "harness/teach/lesson.hpp"

#include "harness/teach/source_blocks.hpp"

#include <algorithm>
#include <iterator>
#include <regex>
#include <vector>

namespace harness::teach {
namespace {

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

/// Takes the function and what it uses, from its own place upwards. False where there is no such function.
bool take_needed(SourceBlocks& source, const std::string& prepare) {
  auto& blocks = source.blocks();
  const auto function = std::ranges::find_if(blocks, [&](const Block& block) {
    return source.name(block) == prepare && source.text(block).find("Trial") != std::string::npos;
  });
  if (function == blocks.end()) return false;
  function->taken = true;
  auto taken = source.text(*function);
  for (auto block = std::make_reverse_iterator(function); block != blocks.rend(); ++block) {
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
  constexpr std::string_view asked = "Question: ";
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
    const bool when = paragraph.starts_with("When ") || paragraph.starts_with("What it costs");
    auto& part = when ? parts.when : parts.when.empty() ? parts.hardware : parts.measured;
    part.append(part.empty() ? "" : "\n\n").append(paragraph);
  }
  return parts;
}

Excerpt code_of(std::string_view text, std::string_view step_id) {
  SourceBlocks source(text);
  if (take_needed(source, prepare_name(std::string(text), step_id))) return excerpt_of(source);
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

}  // namespace harness::teach
