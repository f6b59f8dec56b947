#include "harness/teach/source_blocks.hpp"

#include <algorithm>
#include <regex>

namespace harness::teach {
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

}  // namespace

SourceBlocks::SourceBlocks(std::string_view source) : lines_(lines_of(source)) {
  for (std::size_t i = 0; i < lines_.size(); ++i) {
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

}  // namespace harness::teach
