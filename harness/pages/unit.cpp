#include "harness/pages/unit.hpp"

#include "harness/core/setup.hpp"
#include "harness/pages/course.hpp"
#include "harness/pages/typed_answer.hpp"

#include <fmt/format.h>

#include <charconv>

namespace harness::pages {
namespace {

constexpr std::pair<std::string_view, AnswerCheck> checks[] = {
    {"verdict", AnswerCheck::verdict},     {"naive", AnswerCheck::naive},   {"factor", AnswerCheck::factor},
    {"price", AnswerCheck::price},         {"regime", AnswerCheck::regime}, {"top", AnswerCheck::top},
    {"waits", AnswerCheck::waits},         {"share", AnswerCheck::share},   {"order", AnswerCheck::order},
    {"simulated", AnswerCheck::simulated},
};

[[noreturn]] void reject(std::string_view unit, std::string_view what) {
  throw BadInput(fmt::format("unit {} of the course: {}", unit, what));
}

std::string_view line_of(std::string_view& text) {
  const auto end = std::min(text.find('\n'), text.size());
  const auto line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

/// The lines "key: value" up to the first empty line.
std::map<std::string, std::string, std::less<>> take_keys(std::string_view name, std::string_view& text) {
  std::map<std::string, std::string, std::less<>> keys;
  while (!text.empty()) {
    const auto line = line_of(text);
    if (line.empty()) return keys;
    const auto colon = line.find(": ");
    if (colon == line.npos) reject(name, fmt::format("'{}' is not 'key: value'", line));
    keys.emplace(line.substr(0, colon), line.substr(colon + 2));
  }
  reject(name, "it ends with its keys");
}

/// What stands below a heading, or above the first, without empty lines at its ends.
std::string section(std::string_view text, std::string_view heading) {
  std::string found;
  bool inside = heading.empty();
  while (!text.empty()) {
    const auto line = line_of(text);
    if (line == "ASK" || line == "HINT" || line == "SOLUTION" || line == "AFTER") {
      inside = line == heading;
      continue;
    }
    if (inside && !(found.empty() && line.empty())) found.append(line).append("\n");
  }
  while (found.ends_with("\n\n")) found.pop_back();
  return found;
}

std::vector<std::string> listed(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const auto end = std::min(text.find(", "), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return words;
}

void read_check(CourseUnit& unit, std::string_view text) {
  const auto word = text.substr(0, text.find(' '));
  const auto rest = text.substr(std::min(word.size() + 1, text.size()));
  const auto* const found = std::ranges::find(checks, word, &std::pair<std::string_view, AnswerCheck>::first);
  if (found == std::ranges::end(checks)) reject(unit.name, fmt::format("unknown check '{}'", word));
  unit.check = found->second;
  if (unit.check == AnswerCheck::order) unit.order = rest;
  if (unit.check != AnswerCheck::top) return;
  const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), unit.count);
  if (read.ec != std::errc() || unit.count < 1) reject(unit.name, "top of how many?");
}

/// "1 to 10,000", "1 us to 1 s".
void read_range(CourseUnit& unit) {
  if (unit.range.empty()) return;
  constexpr std::string_view between = " to ";
  const auto at = std::min(unit.range.find(between), unit.range.size());
  const auto bound = [&](const std::string& text) {
    return (unit.check == AnswerCheck::price ? typed_seconds(text) : typed_number(text)).value_or(0);
  };
  unit.least = bound(unit.range.substr(0, at));
  unit.most = bound(unit.range.substr(std::min(at + between.size(), unit.range.size())));
  if (unit.least <= 0 || unit.most <= unit.least)
    reject(unit.name, fmt::format("'{}' is not a range such as 1 to 100", unit.range));
}

/// Each check needs what it looks at.
void require_subject(const CourseUnit& unit) {
  using enum AnswerCheck;
  const bool row = unit.check == verdict || unit.check == naive || unit.check == factor;
  const bool trace = unit.check == regime || unit.check == top || unit.check == waits || unit.check == share;
  if ((unit.check == simulated) == (unit.recording.empty() || unit.gpu.empty()))
    reject(unit.name, "a simulated answer, and nothing else, needs a recording and a gpu");
  if (row == unit.row.empty() || trace == unit.trace.empty() || (unit.check == price) == unit.price.empty())
    reject(unit.name, "its check does not fit what it looks at");
  if (unit.exercise == unit.solution.empty() || unit.exercise == unit.hint.empty())
    reject(unit.name, "an exercise, and nothing else, has a hint and a solution");
  if (unit.trace.empty() != unit.part.empty())
    reject(unit.name, "a trace, and nothing else, needs the part of its report that is shown");
  if ((is_number(unit.check) || unit.check == price) == unit.range.empty())
    reject(unit.name, "an answer that is a number or a time, and nothing else, needs a range");
  if (unit.title.empty() || unit.phase.empty() || unit.text.empty() || unit.ask.empty() || unit.after.empty())
    reject(unit.name, "a unit needs title, phase, text, ASK and AFTER");
}

}  // namespace

std::string CourseUnit::command() const {
  if (!row.empty()) return "run " + row;
  if (!trace.empty()) return "diagnose " + trace;
  if (!recording.empty()) return fmt::format("simulate --from {} --gpu {} --lines", recording, gpu);
  return price.empty() ? std::string() : fmt::format("prices --benchmark_filter={}/", price);
}

std::string number_of(const CourseUnit& unit) { return unit.name.substr(0, unit.name.find('_')); }

bool is_number(AnswerCheck check) {
  return check == AnswerCheck::naive || check == AnswerCheck::factor || check == AnswerCheck::share ||
         check == AnswerCheck::simulated;
}

CourseUnit parse_unit(std::string_view name, std::string_view text) {
  const auto keys = take_keys(name, text);
  const auto value = [&](std::string_view key) {
    const auto found = keys.find(key);
    return found == keys.end() ? std::string() : found->second;
  };
  CourseUnit unit{.name = std::string(name),
                  .phase = value("phase"),
                  .title = value("title"),
                  .text = section(text, ""),
                  .ask = section(text, "ASK"),
                  .hint = section(text, "HINT"),
                  .solution = section(text, "SOLUTION"),
                  .after = section(text, "AFTER"),
                  .exercise = value("kind") == "exercise",
                  .row = value("row"),
                  .price = value("price"),
                  .trace = value("trace"),
                  .recording = value("recording"),
                  .gpu = value("gpu"),
                  .order = {},
                  .range = value("range"),
                  .answers = listed(value("answers")),
                  .also = listed(value("also")),
                  .part = value("part")};
  read_check(unit, value("check"));
  if (const auto near = value("near"); !near.empty()) unit.near = std::stod(near);
  read_range(unit);
  require_subject(unit);
  return unit;
}

std::vector<CourseUnit> course() {
  std::vector<CourseUnit> units;
  for (const auto& text : course_texts()) units.push_back(parse_unit(text.name, text.text));
  return units;
}

}  // namespace harness::pages
