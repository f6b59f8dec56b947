#include "harness/trace/waits.hpp"

#include "harness/trace/trace_text.hpp"

#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace harness::trace {
namespace {

/// A copy between host and device that its call waited for.
bool holds_host(const Event& call, const Event& copy) {
  if (copy.direction == Direction::device_to_device || copy.direction == Direction::peer) return false;
  return copy.host_memory == HostMemory::pageable || call.end() >= copy.end();
}

bool waits_by_name(const Trace& trace, const Event& event) {
  return (event.kind == Kind::runtime || event.kind == Kind::driver) && is_synchronizing(trace.name(event));
}

/// The calls that wait by their name. A runtime's synchronize() may call another of its own: the time is one.
std::set<EventId> named_waits(const Trace& trace) {
  std::vector<EventId> calls;
  for (EventId id = 0; id < trace.events.size(); ++id)
    if (waits_by_name(trace, trace.events[id])) calls.push_back(id);
  std::ranges::sort(calls, {}, [&](EventId id) {
    const Event& call = trace.events[id];
    return std::tuple(call.track, call.ts, -call.dur);
  });
  std::set<EventId> outermost;
  const Event* around = nullptr;
  for (const EventId id : calls) {
    const Event& call = trace.events[id];
    if (around != nullptr && around->track == call.track && call.ts < around->end()) continue;
    outermost.insert(id);
    around = &call;
  }
  return outermost;
}

}  // namespace

bool is_synchronizing(std::string_view call) {
  if (call.starts_with("synchronize")) return true;  // as other accelerators' runtimes call it
  return call.ends_with("Synchronize") && (call.starts_with("cu") || call.starts_with("hip"));
}

bool is_data_wait(std::string_view name) {
  // Anywhere: Lightning's, and what programs call their own, behind the name of a class or of a loop.
  struct Word {
    std::string_view text;
    bool anywhere = false;  // else the name begins with it
  };
  constexpr Word words[] = {{"enumerate(DataLoader)#"},
                            {"DataLoader"},
                            {"dataloader"},
                            {"data_wait"},
                            {"data_load"},
                            {"data loading"},
                            {"dataloader_next", true},
                            {"get_batch", true},
                            {"get_train_batch", true},
                            {"load_batch", true},
                            {"fetch_batch", true},
                            {"next_batch", true},
                            {"load_data", true},
                            {"Data Loading", true},
                            {"Data loading", true}};
  return std::ranges::any_of(words, [&](const Word& word) {
    return word.anywhere ? name.find(word.text) != name.npos : name.starts_with(word.text);
  });
}

EventId asking_op(const Trace& trace, const Nesting& nesting, EventId event) {
  EventId found = no_event;
  for (EventId op = event; op != no_event; op = nesting.parent[op]) {
    const Event& candidate = trace.events[op];
    if (candidate.kind == Kind::cpu_op && !trace.name(candidate).starts_with("autograd::engine")) found = op;
    if (candidate.kind == Kind::user_annotation) break;
  }
  return found;
}

std::vector<WaitingCall> waiting_calls(const Trace& trace, const Nesting& nesting,
                                       const std::vector<bool>& inside) {
  std::vector<WaitingCall> calls;
  const auto named = named_waits(trace);
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const Event& event = trace.events[id];
    if (!takes_part(inside, id)) continue;
    if (named.contains(id)) calls.push_back({id, no_event});
    const EventId launch = nesting.launch[id];
    if (event.kind == Kind::memcpy && launch != no_event && holds_host(trace.events[launch], event))
      calls.push_back({launch, id});
  }
  return calls;
}

std::vector<Wait> waits(const Trace& trace, const Nesting& nesting, const std::vector<WaitingCall>& calls) {
  std::map<std::tuple<NameId, Direction, NameId, std::string>, Wait> sums;
  for (const WaitingCall& entry : calls) {
    const Event& call = trace.events[entry.call];
    const Direction direction = entry.copy == no_event ? Direction::none : trace.events[entry.copy].direction;
    const EventId asker = asking_op(trace, nesting, entry.call);
    const NameId op = asker == no_event ? no_event : trace.events[asker].name;
    std::string where = call_site(trace, nesting, entry.call);
    Wait& sum = sums[{call.name, direction, op, where}];
    if (sum.count == 0) {
      sum.call = trace.name(call);
      if (asker != no_event) sum.op = trace.names[op];
      sum.where = std::move(where);
      sum.copy = entry.copy != no_event;
      sum.direction = direction;
    }
    ++sum.count;
    sum.us += us_of(call.dur);
  }
  std::vector<Wait> result;
  for (auto& [key, sum] : sums) result.push_back(std::move(sum));
  std::stable_sort(result.begin(), result.end(), [](const Wait& a, const Wait& b) { return a.us > b.us; });
  return result;
}

Intervals data_waits(const Trace& trace, const Nesting& nesting, const std::vector<bool>& inside) {
  std::vector<bool> loads(trace.names.size());
  for (NameId name = 0; name < trace.names.size(); ++name) loads[name] = is_data_wait(trace.names[name]);
  std::vector<TimeSpan> spans;
  for (const EventId id : nesting.order) {
    const Event& event = trace.events[id];
    if (loads[event.name] && takes_part(inside, id)) spans.push_back({event.ts, event.end()});
  }
  return merged(std::move(spans));
}

}  // namespace harness::trace
