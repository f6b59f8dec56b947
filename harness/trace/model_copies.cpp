#include "harness/trace/model_copies.hpp"

#include "harness/trace/host_time.hpp"
#include "harness/trace/kernel_parts.hpp"
#include "harness/trace/text.hpp"
#include "harness/trace/thread_calls.hpp"

#include <algorithm>
#include <string>

namespace harness::trace {

std::optional<bool> names_model(std::string_view range) {
  if (range.starts_with(autograd_engine)) return true;
  const auto name = in_lower_case(range);
  if (name.find("dataparallel") != name.npos) return std::nullopt;
  if (has_any(name, {"forward", "fwd", "backward", "bwd"})) return true;
  if (is_data_wait(range) || has_any(name, {"h2d", "htod", "to_device", "batch", "input", "data"}))
    return false;
  return std::nullopt;
}

namespace {

bool in_module(const Trace& trace, const Nesting& nesting, EventId call) {
  for (auto frame = nesting.python[call]; frame != no_event; frame = nesting.python[frame]) {
    const auto name = trace.name(trace.events[frame]);
    if (name.starts_with("nn.Module: ") && name.find("DataParallel") == name.npos) return true;
  }
  return false;
}

}  // namespace

bool within_model(const Trace& trace, const Nesting& nesting, EventId copy) {
  for (auto around = nesting.asker[copy]; around != no_event; around = nesting.parent[around]) {
    const auto& event = trace.events[around];
    const auto name = trace.name(event);
    if (event.kind != Kind::user_annotation && name.find("::") != name.npos &&
        !name.starts_with(autograd_engine))
      continue;
    if (const auto model = names_model(name)) return *model;
  }
  const auto call = nesting.launch[copy];
  return call != no_event && in_module(trace, nesting, call);
}

}  // namespace harness::trace
