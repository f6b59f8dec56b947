#include "harness/trace/intern.hpp"
#include "harness/trace/json_text.hpp"
#include "harness/trace/nesting.hpp"
#include "harness/trace/text.hpp"
#include "harness/trace/trace.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace harness::trace {
namespace {

/// A frame of torch itself, of the interpreter, or of a module's own bookkeeping.
bool is_internal(std::string_view frame) {
  return frame.empty() || frame.starts_with("<") || frame.starts_with("nn.Module: ") ||
         frame.starts_with("torch/") || frame.starts_with("torch\\") || frame.starts_with("contextlib.py(") ||
         has_any(frame, {"/torch/", "\\torch\\", "/contextlib.py(", "\\contextlib.py("});
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
