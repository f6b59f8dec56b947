#include "harness/trace/intern.hpp"
#include "harness/trace/nesting.hpp"

#include <string>
#include <string_view>

namespace harness::trace {
namespace {

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
