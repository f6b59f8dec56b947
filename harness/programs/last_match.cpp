#include "harness/programs/last_match.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/expression.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace harness::programs {
namespace {

constexpr std::string_view line_ends = "\r\n";

std::regex checked(const std::string& text, const char* option) {
  constexpr std::size_t longest = 500;  // each of its parts takes stack while it is read
  if (text.size() > longest)
    throw BadInput(fmt::format("{} {}: has more than {} characters", option, shown(text), longest));
  try {
    auto expression = expression_of(text);
    if (expression.mark_count() > 1)
      throw BadInput(
          fmt::format("{} {}: has {} groups, and the value is that of one; write the others as (?:...)",
                      option, shown(text), expression.mark_count()));
    return expression;
  } catch (const std::regex_error& error) {
    throw BadInput(fmt::format("{} {}: is not a regular expression: {}", option, shown(text), error.what()));
  }
}

/// Behind the group or the class that begins at `at`, or at the end.
std::size_t behind_brackets(std::string_view text, std::size_t at) {
  const char close = text[at] == '[' ? ']' : ')';
  for (++at; at < text.size() && text[at] != close; ++at) {
    const bool opens = close == ')' && std::string_view("([").find(text[at]) != std::string_view::npos;
    if (opens)
      at = behind_brackets(text, at) - 1;
    else if (text[at] == '\\')
      ++at;
  }
  return at + 1;
}

/// The line that ends before `end`, where no line end stands.
std::string_view line_before(std::string_view lines, std::size_t end) {
  const auto before = lines.find_last_of(line_ends, end - 1);
  const auto begin = before == std::string_view::npos ? 0 : before + 1;
  return lines.substr(begin, end - begin);
}

}  // namespace

std::string needed_text(std::string_view expression) {
  if (expression.find("[:") != std::string_view::npos) return {};  // a class in a class
  std::string best, text;
  const auto end = [&] {
    if (text.size() > best.size()) best = text;
    text.clear();
  };
  for (std::size_t at = 0; at < expression.size();) {
    const char c = expression[at];
    if (c == '|') return {};
    if (std::string_view("([").find(c) != std::string_view::npos) {
      end();
      at = behind_brackets(expression, at);
    } else if (std::string_view("*?{").find(c) != std::string_view::npos) {
      if (!text.empty()) text.pop_back();  // what stands before it may be missing
      end();
      at = c == '{' ? std::min(expression.find('}', at), expression.size() - 1) + 1 : at + 1;
    } else if (c == '\\') {
      const char next = at + 1 < expression.size() ? expression[at + 1] : 'b';
      const bool is_itself = std::string_view("^$\\.*+?()[]{}|/-").find(next) != std::string_view::npos;
      if (is_itself)
        text += next;
      else
        end();
      // Behind a class of characters nothing is skipped but what belongs to it: \x41, \u0041, \cA.
      at += 2 + (next == 'x' ? 2 : next == 'u' ? 4 : next == 'c' ? 1 : 0);
    } else if (std::string_view(".^$+").find(c) != std::string_view::npos) {
      end();  // the character before a + stands there at least once
      ++at;
    } else {
      text += c;
      ++at;
    }
  }
  end();
  return best;
}

std::string_view last_line(std::string_view text) {
  const auto last = text.find_last_not_of(line_ends);
  if (last == std::string_view::npos) return {};
  const auto line = line_before(text, last + 1);
  return line.substr((line.size() - 1) / longest_line * longest_line);
}

LastMatch::LastMatch(const std::string& expression, const char* option)
    : expression_(checked(expression, option)), needed_(needed_text(expression)) {}

bool LastMatch::matches(std::string_view line) {
  if (line.find(needed_) == std::string_view::npos) return false;
  std::match_results<std::string_view::const_iterator> found;
  if (!std::regex_search(line.begin(), line.end(), found, expression_)) return false;
  found_ = found[found.size() > 1 ? 1 : 0].str();
  return true;
}

void LastMatch::hear(std::string_view lines) {
  while (!lines.empty()) {
    // Most text has none of it, and memmem finds that out at once.
    if (memmem(lines.data(), lines.size(), needed_.data(), needed_.size()) == nullptr) return;
    const auto needed = lines.rfind(needed_);  // behind it no match is
    const auto end = std::min(lines.find_first_of(line_ends, needed + needed_.size()), lines.size());
    auto line = lines.substr(0, end);
    const auto last = line.find_last_not_of(line_ends);
    if (last == std::string_view::npos) return;
    line = line_before(line, last + 1);
    lines = lines.substr(0, static_cast<std::size_t>(line.data() - lines.data()));
    while (!line.empty()) {
      const auto piece = line.substr((line.size() - 1) / longest_line * longest_line);
      if (matches(piece)) return;
      line.remove_suffix(piece.size());
    }
  }
}

}  // namespace harness::programs
