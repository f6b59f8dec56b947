#include "harness/trace/nesting.hpp"

#include "harness/trace/trace_text.hpp"

#include <array>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace harness::trace {
namespace {

/// Sorted by thread and start, the longer of two first. There are many: the order of its members leaves no
/// holes.
struct Begun {
  std::uint32_t track;
  EventId id;
  std::int64_t ts, dur;
  bool operator<(const Begun& other) const {
    return std::tie(track, ts, other.dur, id) < std::tie(other.track, other.ts, dur, other.id);
  }
};

std::vector<Begun> by_thread_and_time(const Trace& trace) {
  std::vector<bool> hidden(trace.names.size());  // what PyTorch's profiler leaves out of its own table
  for (NameId name = 0; name < trace.names.size(); ++name)
    hidden[name] =
        is_any(trace.names[name],
               {"profiler::_record_function_enter", "profiler::_record_function_enter_new",
                "profiler::_record_function_exit", "aten::is_leaf", "aten::output_nr", "aten::_version"});
  std::vector<Begun> begun;
  begun.reserve(trace.events.size());
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const Event& event = trace.events[id];
    const bool host = is_range(event.kind) || is_call(event.kind) || event.kind == Kind::python_function;
    if (host && !hidden[event.name]) begun.push_back({event.track, id, event.ts, event.dur});
  }
  std::sort(begun.begin(), begun.end());
  return begun;
}

/// The frame in which PyTorch starts its profiler.
bool starts_profiler(std::string_view frame) {
  return frame.ends_with("start_trace") && frame.find("/profiler.py(") != frame.npos;
}

/// Walks one thread after the other with the stack of what is open.
class Walk {
 public:
  Walk(const Trace& trace, Nesting& nesting)
      : trace_(trace),
        nesting_(nesting),
        open_names_(trace.names.size()),
        starts_profiler_(trace, starts_profiler) {}

  void visit(EventId id) {
    const Event& event = trace_.events[id];
    if (event.track != track_) leave();
    track_ = event.track;
    while (!python_.empty() && trace_.events[python_.back()].end() <= event.ts) python_.pop_back();
    nesting_.python[id] = python_.empty() ? no_event : python_.back();
    if (event.kind == Kind::python_function) {
      if (starts_profiler_(event))
        nesting_.open_before.insert(nesting_.open_before.end(), python_.begin(), python_.end());
      python_.push_back(id);
      return;
    }
    while (!open_.empty() && !encloses(trace_.events[open_.back()], event)) pop();
    nesting_.parent[id] = open_.empty() ? no_event : open_.back();
    nesting_.within_same[id] = open_names_[event.name] > 0;
    nesting_.order.push_back(id);
    if (is_call(event.kind)) return;
    open_.push_back(id);
    ++open_names_[event.name];
  }

 private:
  static bool encloses(const Event& outer, const Event& inner) {
    return inner.ts < outer.end() && inner.end() <= outer.end();
  }
  void pop() {
    --open_names_[trace_.events[open_.back()].name];
    open_.pop_back();
  }
  void leave() {
    while (!open_.empty()) pop();
    python_.clear();
  }

  const Trace& trace_;
  Nesting& nesting_;
  std::vector<std::int32_t> open_names_;  // by NameId
  ByName<decltype(&starts_profiler)> starts_profiler_;
  std::vector<EventId> open_;
  std::vector<EventId> python_;
  std::uint32_t track_ = no_event;
};

/// Sorted by id; of two events with the same id the earlier in the file counts.
class Index {
 public:
  void add(std::int64_t id, EventId event) {
    if (id >= 0) entries_.emplace_back(id, event);
  }
  void close() {
    if (!std::is_sorted(entries_.begin(), entries_.end())) std::sort(entries_.begin(), entries_.end());
  }
  EventId find(std::int64_t id) const {
    if (id < 0) return no_event;
    const auto found = std::lower_bound(entries_.begin(), entries_.end(), std::pair{id, EventId{0}});
    return found != entries_.end() && found->first == id ? found->second : no_event;
  }

 private:
  std::vector<std::pair<std::int64_t, EventId>> entries_;
};

void join_device(const Trace& trace, Nesting& nesting) {
  Index calls;
  Index operators;
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const Event& event = trace.events[id];
    if (is_call(event.kind)) calls.add(event.correlation, id);
    if (event.kind == Kind::cpu_op) operators.add(event.external_id, id);
  }
  calls.close();
  operators.close();
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const Event& event = trace.events[id];
    const bool work = on_device(event.kind);
    if (!work && event.kind != Kind::sync) continue;
    const EventId launch = calls.find(event.correlation);
    nesting.launch[id] = launch;
    if (!work) continue;
    nesting.asker[id] = launch != no_event ? nesting.parent[launch] : operators.find(event.external_id);
  }
}

}  // namespace

Nesting nest(const Trace& trace) {
  const std::size_t count = trace.events.size();
  Nesting nesting;
  nesting.parent.assign(count, no_event);
  nesting.launch.assign(count, no_event);
  nesting.asker.assign(count, no_event);
  nesting.python.assign(count, no_event);
  nesting.within_same.assign(count, false);
  Walk walk(trace, nesting);
  for (const auto& event : by_thread_and_time(trace)) walk.visit(event.id);
  std::ranges::sort(nesting.open_before);
  join_device(trace, nesting);
  return nesting;
}

bool within_operator(const Trace& trace, EventId event) {
  return lies_in(trace, trace.nesting.parent[event],
                 [&](EventId id) { return trace.events[id].kind == Kind::cpu_op; });
}

}  // namespace harness::trace
