#include "harness/trace/json_text.hpp"

#include <algorithm>

namespace harness::trace {

// A reader of its own instead of another pass of simdjson: it allocates nothing, and a diagnosis asks for the
// shapes of every operator. Loops instead of find_first_of(), which calls memchr for each character.

std::optional<std::size_t> string_length(std::string_view json) {
  for (std::size_t i = 1; i < json.size(); ++i) {
    if (json[i] == '"') return i + 1;
    if (json[i] == '\\') ++i;
  }
  return std::nullopt;
}

std::optional<std::size_t> nest_length(std::string_view json) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') {
      const auto length = string_length(json.substr(i));
      if (!length) return std::nullopt;
      i += *length - 1;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if ((c == ']' || c == '}') && --depth == 0) {
      return i + 1;
    }
  }
  return std::nullopt;
}

std::size_t value_length(std::string_view json) {
  if (json.empty()) return 0;
  if (json.front() == '"') return string_length(json).value_or(json.size());
  if (json.front() == '[' || json.front() == '{') return nest_length(json).value_or(json.size());
  const auto ends = [](char c) { return c == ',' || c == '}' || c == ']'; };
  return static_cast<std::size_t>(std::ranges::find_if(json, ends) - json.begin());
}

void skip_value(std::string_view& json, std::size_t length) {
  json.remove_prefix(std::min(length, json.size()));
  while (!json.empty() && (is_json_blank(json.front()) || json.front() == ',' || json.front() == ':'))
    json.remove_prefix(1);
}

}  // namespace harness::trace
