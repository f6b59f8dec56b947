#include "harness/trace/intern.hpp"
#include "harness/trace/json_text.hpp"
#include "harness/trace/trace.hpp"
#include "harness/trace/trace_text.hpp"

namespace harness::trace {

std::string_view argument(const Trace& trace, const Event& event, std::string_view name) {
  std::string_view json = trace.args(event);
  if (json.empty()) return {};
  skip_value(json, 1);  // the brace
  while (!json.empty() && json.front() == '"') {
    const std::size_t length = value_length(json);
    const std::string_view key = unquoted(json.substr(0, length));
    skip_value(json, length);
    const std::string_view value = json.substr(0, value_length(json));
    if (key == name) return trimmed(value);
    skip_value(json, value.size());
  }
  return {};
}

std::string text_argument(const Trace& trace, const Event& event, std::string_view name) {
  const std::string_view json = argument(trace, event, name);
  if (json.size() < 2 || json.front() != '"') return {};
  return understood(unquoted(json)).text;
}

}  // namespace harness::trace
