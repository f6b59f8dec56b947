#include "harness/catalogue/in_python.hpp"

#include <algorithm>
#include <utility>

namespace harness::catalogue {
namespace {

constexpr std::string_view before_mark = "# before\n", after_mark = "# after\n";

/// The text behind "# WORD: " where the line is that remark.
std::optional<std::string> remark(std::string_view line, std::string_view word) {
  if (!line.starts_with("# ") || !line.substr(2).starts_with(word)) return std::nullopt;
  line.remove_prefix(2 + word.size());
  if (!line.starts_with(": ")) return std::nullopt;
  return std::string(line.substr(2));
}

std::string without_outer_blank_lines(std::string_view text) {
  while (text.starts_with('\n')) text.remove_prefix(1);
  while (text.ends_with("\n\n")) text.remove_suffix(1);
  return std::string(text);
}

const PythonFile* file_at(std::string_view place) {
  const auto files = python_files();
  const auto found = std::ranges::find(files, place, &PythonFile::place);
  return found == files.end() ? nullptr : &*found;
}

}  // namespace

InPython parse_python(std::string_view text) {
  InPython lines;
  for (auto rest = text; rest.starts_with("# ");) {
    const auto end = std::min(rest.find('\n'), rest.size());
    const auto line = rest.substr(0, end);
    if (auto note = remark(line, "note")) lines.note = std::move(*note);
    if (auto none = remark(line, "none")) lines.none = std::move(*none);
    if (remark(line, "needs") == "cuda") lines.needs_cuda = true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line == before_mark.substr(0, before_mark.size() - 1)) break;
  }
  const auto before = text.find(before_mark), after = text.find(after_mark);
  if (before == text.npos || after == text.npos || after < before) return lines;
  const auto begin = before + before_mark.size();
  lines.before = without_outer_blank_lines(text.substr(begin, after - begin));
  lines.after = without_outer_blank_lines(text.substr(after + after_mark.size()));
  return lines;
}

std::optional<InPython> in_python(std::string_view step) {
  const auto* file = file_at(step);
  if (file == nullptr)
    file = file_at("models" + std::string(step.substr(std::min(step.find('/'), step.size()))));
  return file == nullptr ? std::nullopt : std::optional(parse_python(file->text));
}

}  // namespace harness::catalogue
