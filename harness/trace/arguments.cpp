#include "harness/trace/intern.hpp"
#include "harness/trace/number.hpp"
#include "harness/trace/trace.hpp"

#include <cstddef>
#include <stdexcept>

namespace harness::trace {
namespace {

// A reader of its own instead of another pass of simdjson: it allocates nothing, and a diagnosis asks for the
// shapes of every operator.

/// The length of the string at the start of `json`, quotes included.
std::size_t string_length(std::string_view json) {
  for (auto i = json.find_first_of("\"\\", 1); i < json.size(); i = json.find_first_of("\"\\", i + 2))
    if (json[i] == '"') return i + 1;
  return json.size();
}

/// The length of the list or object at the start of `json`, brackets included.
std::size_t nest_length(std::string_view json) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') {
      i += string_length(json.substr(i)) - 1;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if ((c == ']' || c == '}') && --depth == 0) {
      return i + 1;
    }
  }
  return json.size();
}

std::size_t value_length(std::string_view json) {
  if (json.empty()) return 0;
  if (json.front() == '"') return string_length(json);
  if (json.front() == '[' || json.front() == '{') return nest_length(json);
  const auto end = json.find_first_of(",}]");
  return end == std::string_view::npos ? json.size() : end;
}

/// Takes `length` characters and the blanks, commas and colons behind them off the front.
void skip(std::string_view& json, std::size_t length) {
  const auto next = json.find_first_not_of(" \n\r\t,:", length);
  json.remove_prefix(next == std::string_view::npos ? json.size() : next);
}

}  // namespace

std::string_view argument(const Trace& trace, const Event& event, std::string_view name) {
  std::string_view json = trace.args(event);
  if (json.empty()) return {};
  skip(json, 1);  // the brace
  while (!json.empty() && json.front() == '"') {
    const std::size_t length = string_length(json);
    const std::string_view key = unquoted(json.substr(0, length));
    skip(json, length);
    const std::string_view value = json.substr(0, value_length(json));
    if (key == name) return trimmed(value);
    skip(json, value.size());
  }
  return {};
}

std::string text_argument(const Trace& trace, const Event& event, std::string_view name) {
  const std::string_view json = argument(trace, event, name);
  if (json.size() < 2 || json.front() != '"') return {};
  try {
    return unescaped(unquoted(json));
  } catch (const std::invalid_argument&) {
    return std::string(unquoted(json));
  }
}

}  // namespace harness::trace
