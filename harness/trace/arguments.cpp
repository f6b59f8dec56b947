#include "harness/trace/intern.hpp"
#include "harness/trace/nesting.hpp"
#include "harness/trace/text.hpp"
#include "harness/trace/trace.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace harness::trace {
namespace {

// A reader of its own instead of another pass of simdjson: it allocates nothing, and a diagnosis asks for the
// shapes of every operator. Loops instead of find_first_of(), which calls memchr for each character.

/// The length of the string at the start of `json`, quotes included.
std::size_t string_length(std::string_view json) {
  for (std::size_t i = 1; i < json.size(); ++i) {
    if (json[i] == '"') return i + 1;
    if (json[i] == '\\') ++i;
  }
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
  const auto ends = [](char c) { return c == ',' || c == '}' || c == ']'; };
  return static_cast<std::size_t>(std::ranges::find_if(json, ends) - json.begin());
}

/// Takes `length` characters and the blanks, commas and colons behind them off the front.
void skip(std::string_view& json, std::size_t length) {
  const auto between = [](char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == ',' || c == ':';
  };
  json.remove_prefix(std::min(length, json.size()));
  while (!json.empty() && between(json.front())) json.remove_prefix(1);
}

/// A frame of torch itself, of the interpreter, or of a module's own bookkeeping.
bool is_internal(std::string_view frame) {
  return frame.empty() || frame.starts_with("<") || frame.starts_with("nn.Module: ") ||
         frame.starts_with("torch/") || frame.find("/torch/") != std::string_view::npos ||
         frame.find("/contextlib.py(") != std::string_view::npos || frame.starts_with("contextlib.py(");
}

/// The first frame of a recorded stack ("file(12): f;file(34): g", innermost first) that is the user's own.
std::string_view own_frame(std::string_view stack) {
  const std::string_view innermost = stack.substr(0, stack.find(';'));
  while (!stack.empty()) {
    const std::string_view frame = stack.substr(0, stack.find(';'));
    if (!is_internal(frame)) return frame;
    stack.remove_prefix(frame.size() < stack.size() ? frame.size() + 1 : stack.size());
  }
  return innermost;
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

std::string call_site(const Trace& trace, const Nesting& nesting, EventId event) {
  EventId innermost = no_event;
  for (EventId frame = nesting.python[event]; frame != no_event; frame = nesting.python[frame]) {
    const std::string_view name = trace.name(trace.events[frame]);
    if (!is_internal(name)) return std::string(name);
    if (innermost == no_event && !name.starts_with("<")) innermost = frame;
  }
  if (innermost != no_event) return std::string(trace.name(trace.events[innermost]));
  for (EventId op = event; op != no_event; op = nesting.parent[op]) {
    const std::string stack = text_argument(trace, trace.events[op], "Call stack");
    if (!stack.empty()) return printable(own_frame(stack));
  }
  return {};
}

}  // namespace harness::trace
