#include "harness/trace/model_copies.hpp"

#include "harness/trace/host_figures.hpp"
#include "harness/trace/kernel_rules.hpp"
#include "harness/trace/launch_calls.hpp"
#include "harness/trace/thread_calls.hpp"
#include "harness/trace/trace_text.hpp"

#include <iterator>

namespace harness::trace {

std::optional<bool> names_model(std::string_view range) {
  if (range.starts_with(autograd_engine)) return true;
  const auto name = in_lower_case(range);
  if (has_any(name, {"backward", "bwd"})) return true;
  if (name.find("dataparallel") != name.npos) return std::nullopt;
  if (has_any(name, {"forward", "fwd"})) return true;
  if (is_data_wait(range) || has_any(name, {"h2d", "htod", "to_device", "batch", "input", "data"}))
    return false;
  return std::nullopt;
}

namespace {

bool in_module(const Trace& trace, EventId call) {
  for (auto frame = trace.nesting.python[call]; frame != no_event; frame = trace.nesting.python[frame]) {
    const auto name = trace.name(frame);
    if (name.starts_with("nn.Module: ") && name.find("DataParallel") == name.npos) return true;
  }
  return false;
}

/// What the events of one name are to these copies.
enum class Role : std::int8_t { unasked, none, optimizer, launch, load, step };

Role role_of(const Event& event, std::string_view name) {
  if (is_call(event.kind)) return is_kernel_launch(name) || is_graph_launch(name) ? Role::launch : Role::none;
  if (is_data_wait(name)) return Role::load;
  if (is_step(name)) return Role::step;
  const bool fused = has_any(name, {"_fused_adam", "_fused_sgd", "_fused_adagrad"});
  return name.starts_with("Optimizer.step#") || fused ? Role::optimizer : Role::none;
}

}  // namespace

ModelCopies::ModelCopies(const Trace& trace) : trace_(trace) {
  std::vector<Role> roles(trace.names.size(), Role::unasked);
  std::vector<bool> launching(trace.events.size());  // calls that start kernels, and what lies around them
  std::vector<EventId> optimizers;
  bool launches = false;  // were recorded; else nothing shows where an optimizer ran
  for (const auto id : trace.nesting.order) {
    const auto& event = trace.events[id];
    auto& role = roles[event.name];
    if (role == Role::unasked) role = role_of(event, trace.name(event));
    if (role == Role::optimizer) optimizers.push_back(id);
    if (role == Role::load || role == Role::step) marks_.push_back({event.ts, false});
    if (role != Role::launch) continue;
    launches = true;
    for (auto around = id; around != no_event && !launching[around]; around = trace.nesting.parent[around])
      launching[around] = true;
  }
  std::erase_if(optimizers, [&](EventId id) { return launching[id]; });
  if (optimizers.empty() || !launches || optimizer_runs_closures(trace)) {
    marks_.clear();
    return;
  }
  for (const auto id : optimizers) marks_.push_back({trace.events[id].ts, true});
  std::ranges::stable_sort(marks_, {}, &Mark::ts);
  for (const auto& event : trace.events)
    if (event.kind == Kind::memcpy && event.direction == Direction::device_to_host &&
        event.bytes >= batch_bytes)
      brought_out_.insert(event.bytes);
}

std::optional<bool> ModelCopies::by_range(EventId copy) const {
  for (auto around = trace_.nesting.asker[copy]; around != no_event; around = trace_.nesting.parent[around]) {
    const auto& event = trace_.events[around];
    const auto name = trace_.name(event);
    if (event.kind != Kind::user_annotation && name.find("::") != name.npos &&
        !name.starts_with(autograd_engine))
      continue;
    if (const auto model = names_model(name)) return model;
  }
  return std::nullopt;
}

bool ModelCopies::contain(EventId copy) const {
  if (const auto model = by_range(copy)) return *model;
  const auto call = trace_.nesting.launch[copy];
  return (call != no_event && in_module(trace_, call)) || returns(copy);
}

bool ModelCopies::returns(EventId copy) const {
  if (marks_.empty() || by_range(copy) == false) return false;
  if (brought_out_.contains(trace_.events[copy].bytes)) return true;
  const auto call = trace_.nesting.launch[copy];
  if (call == no_event) return false;
  const auto next = std::ranges::upper_bound(marks_, trace_.events[call].ts, {}, &Mark::ts);
  // Where neither loading nor steps are marked, a batch may come behind the optimizer as well.
  const bool marked = std::ranges::any_of(marks_, [](const Mark& mark) { return !mark.optimizer; });
  return marked && next != marks_.begin() && std::prev(next)->optimizer;
}

}  // namespace harness::trace
