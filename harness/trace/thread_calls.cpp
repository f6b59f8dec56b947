#include "harness/trace/thread_calls.hpp"

#include "harness/trace/event_arguments.hpp"
#include "harness/trace/host_use.hpp"
#include "harness/trace/trace_text.hpp"
#include "harness/trace/window.hpp"

namespace harness::trace {
namespace {

bool is_operator(const Trace& trace, EventId id) {
  return id != no_event && trace.events[id].kind == Kind::cpu_op;
}

/// A linear layer has two tensors: so many in a row are the state of two layers or more.
constexpr std::size_t few_detached = 4;

}  // namespace

bool optimizer_runs_closures(const Trace& trace) {
  std::vector<Span> steps;
  for (const auto& event : trace.events)
    if (event.kind == Kind::user_annotation && trace.name(event).starts_with("Optimizer.step#"))
      steps.push_back(event.span());
  std::ranges::sort(steps, {}, &Span::begin);
  return std::ranges::any_of(trace.events, [&](const Event& event) {
    return event.kind == Kind::cpu_op && trace.name(event).starts_with(autograd_engine) &&
           within(steps, event.ts);
  });
}

ThreadCalls::ThreadCalls(const Evidence& evidence)
    : evidence_(evidence),
      closures_(optimizer_runs_closures(evidence.trace)),
      self_(evidence.trace.events.size()),
      where_(evidence.trace.events.size()) {
  const auto& trace = evidence.trace;
  const auto track = training_thread(trace);
  for (const auto id : evidence.trace.nesting.order) {
    const auto& event = trace.events[id];
    if (event.track != track) continue;
    const auto parent = evidence.trace.nesting.parent[id];
    self_[id] = event.dur;
    if (parent != no_event) self_[parent] -= event.dur;
    where_[id] = place(id);
    thread_.push_back(id);
    if (is_operator(trace, id) && !is_operator(trace, parent)) outer_.push_back(id);
  }
}

ThreadCalls::Where ThreadCalls::place(EventId id) const {
  const auto parent = evidence_.trace.nesting.parent[id];
  if (parent != no_event && where_[parent] > Where::step) return where_[parent];
  if (is_data_wait(name(id))) return Where::loader;
  if (closures_ && name(id).starts_with("Optimizer.step#")) return Where::step;
  return name(id).starts_with("Optimizer.") ? Where::optimizer : Where::step;
}

std::int64_t ThreadCalls::small() const {
  return std::ranges::count_if(thread_, [&](EventId id) {
    return is_operator(evidence_.trace, id) && evidence_.judged[id] && where_[id] != Where::loader &&
           self_[id] < small_operator_ns;
  });
}

std::vector<EventId> ThreadCalls::products() const {
  std::vector<EventId> found;
  std::vector<bool> calls_one(evidence_.trace.events.size());
  for (auto id = thread_.rbegin(); id != thread_.rend(); ++id) {  // callees before their callers
    if (!is_operator(evidence_.trace, *id)) continue;
    const bool product = host_work(name(*id)) == HostWork::product;
    const auto parent = evidence_.trace.nesting.parent[*id];
    if (parent != no_event && (product || calls_one[*id])) calls_one[parent] = true;
    if (product && !calls_one[*id] && evidence_.judged[*id] && where_[*id] != Where::loader)
      found.push_back(*id);
  }
  return found;
}

bool ThreadCalls::types_known() const {
  return std::ranges::any_of(products(), [&](EventId id) {
    return !recorded(evidence_.trace, evidence_.trace.events[id]).types.empty();
  });
}

bool ThreadCalls::products_are_narrow() const {
  std::int64_t wide = 0;
  std::int64_t narrow = 0;
  for (const auto id : products()) {
    const auto call = recorded(evidence_.trace, evidence_.trace.events[id]);
    if (call.types.empty()) continue;
    (std::ranges::find(call.types, "float") != call.types.end() ? wide : narrow) += self_[id];
  }
  return narrow > wide;
}

bool ThreadCalls::products_are_double() const {
  std::int64_t all = 0;
  std::int64_t wide = 0;
  for (const auto id : products()) {
    const auto call = recorded(evidence_.trace, evidence_.trace.events[id]);
    all += self_[id];
    if (std::ranges::find(call.types, "double") != call.types.end()) wide += self_[id];
  }
  return 2 * wide > all;
}

double ThreadCalls::ranges_us(std::string_view beginning) const {
  std::int64_t sum = 0;
  for (const auto id : thread_)
    if (evidence_.judged[id] && !is_operator(evidence_.trace, id) && name(id).starts_with(beginning))
      sum += evidence_.trace.events[id].dur;
  return us_of(sum);
}

double ThreadCalls::fills_us(std::string_view beginning) const {
  std::int64_t sum = 0;
  for (const auto id : outer_) {
    const auto parent = evidence_.trace.nesting.parent[id];
    const bool within = parent != no_event && name(parent).starts_with(beginning);
    if (within && evidence_.judged[id] && name(id).find("zero_") != std::string_view::npos)
      sum += evidence_.trace.events[id].dur;
  }
  return us_of(sum);
}

std::size_t ThreadCalls::position(EventId id) const {
  while (is_operator(evidence_.trace, evidence_.trace.nesting.parent[id]))
    id = evidence_.trace.nesting.parent[id];
  const auto& events = evidence_.trace.events;
  const auto at =
      std::ranges::lower_bound(outer_, events[id].ts, {}, [&](EventId outer) { return events[outer].ts; });
  return static_cast<std::size_t>(at - outer_.begin());
}

bool ThreadCalls::follows_state_dict(EventId next) const {
  const auto at = position(next);
  if (at < few_detached) return false;
  const auto end = outer_.begin() + static_cast<std::ptrdiff_t>(at);
  return std::all_of(end - few_detached, end, [&](EventId id) { return name(id) == "aten::detach"; });
}

/// Reading takes 1.2 to 2.0 times as long as filling (2.11 of PyTorch, six lists of 20,000 to 100,000
/// numbers): a longer time holds something else.
bool ThreadCalls::reads_list(EventId next) const {
  constexpr std::int64_t most = 2;
  const auto at = position(next);
  if (at == 0 || at + 1 >= outer_.size() || !made_of_list(outer_[at + 1])) return false;
  const auto& events = evidence_.trace.events;
  const auto filling = events[outer_[at + 1]].ts - events[outer_[at]].end();
  return events[outer_[at]].ts - events[outer_[at - 1]].end() <= most * filling;
}

bool ThreadCalls::made_of_list(EventId next) const {
  const auto at = position(next);
  if (at == 0 || name(outer_[at - 1]) != "aten::empty") return false;
  const auto end = std::min(at + 2, outer_.size());
  return std::any_of(outer_.begin() + static_cast<std::ptrdiff_t>(at),
                     outer_.begin() + static_cast<std::ptrdiff_t>(end),
                     [&](EventId id) { return name(id) == "aten::lift_fresh"; });
}

}  // namespace harness::trace
