#include "harness/trace/host_figures.hpp"

#include "harness/trace/device_time.hpp"
#include "harness/trace/nesting.hpp"
#include "harness/trace/trace_text.hpp"

#include <cstdlib>
#include <iterator>
#include <set>
#include <tuple>
#include <unordered_map>

namespace harness::trace {
namespace {

constexpr std::string_view module_prefix = "nn.Module: ";

/// A running sum of work over the times at which it was asked for.
class Sum {
 public:
  void add(std::int64_t launched, std::int64_t duration) {
    work_.emplace_back(launched, static_cast<double>(duration));
  }
  void finish() {
    std::ranges::sort(work_);
    double sum = 0;
    for (auto& [ts, duration] : work_) duration = sum += duration;
  }
  double within(std::int64_t begin, std::int64_t end) const { return up_to(end) - up_to(begin); }

 private:
  double up_to(std::int64_t time) const {
    const auto next = std::lower_bound(work_.begin(), work_.end(), std::pair{time, -1.0});
    return next == work_.begin() ? 0 : std::prev(next)->second;
  }

  std::vector<std::pair<std::int64_t, double>> work_;  // launch, then the sum up to and with it
};

/// Work by who asked for it. What a thread launches while it is in a range of its own belongs to its ranges;
/// what it launches outside of any (autograd's threads) belongs to the ranges of the others at that time.
class Asked {
 public:
  Asked(const Trace& trace, const std::vector<EventId>& ranges) {
    std::unordered_map<std::uint32_t, std::vector<Span>> spans;
    for (const EventId id : ranges) {
      const Event& range = trace.events[id];
      spans[range.track].push_back(range.span());
    }
    std::unordered_map<std::uint32_t, Coverage> covered;
    for (auto& [track, list] : spans) covered.emplace(track, Coverage(merged(std::move(list))));
    for (EventId id = 0; id < trace.events.size(); ++id) {
      if (!on_device(trace.events[id].kind) || trace.nesting.launch[id] == no_event) continue;
      const Event& call = trace.events[trace.nesting.launch[id]];
      const auto own = covered.find(call.track);
      const bool within = own != covered.end() && own->second.within(call.ts, call.ts + 1) > 0;
      (within ? by_thread_[call.track] : free_).add(call.ts, trace.events[id].dur);
    }
    for (auto& [track, sum] : by_thread_) sum.finish();
    free_.finish();
  }

  double within(const Event& range) const {
    const auto own = by_thread_.find(range.track);
    const double mine = own == by_thread_.end() ? 0 : own->second.within(range.ts, range.end());
    return mine + free_.within(range.ts, range.end());
  }

 private:
  std::unordered_map<std::uint32_t, Sum> by_thread_;  // by track
  Sum free_;
};

/// The calls of modules; one directly within itself is the same call.
std::vector<EventId> modules_of(const Trace& trace) {
  std::vector<EventId> modules;
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const Event& event = trace.events[id];
    if (event.kind != Kind::python_function || !trace.name(event).starts_with(module_prefix)) continue;
    const EventId outer = trace.nesting.python[id];
    if (outer == no_event || trace.events[outer].name != event.name) modules.push_back(id);
  }
  return modules;
}

/// By the operator that ended the gap; its place is that of the longest one.
std::vector<GapCause> gap_causes(const Trace& trace, const std::vector<bool>& inside) {
  struct Asker {
    GapCause cause;
    std::int64_t longest = -1;
    EventId from = no_event;
  };
  std::unordered_map<NameId, Asker> sums;
  for (const auto& [number, device] : device_work(trace, inside)) {
    auto worked_until = device.begin;
    for (const EventId id : device.work) {
      const auto gap = trace.events[id].ts - worked_until;
      worked_until = std::max(worked_until, trace.events[id].end());
      if (gap <= 0) continue;
      const EventId launch = trace.nesting.launch[id];
      const EventId from = launch != no_event ? launch : trace.nesting.asker[id];
      const EventId asker = from == no_event ? no_event : asking_op(trace, from);
      Asker& sum = sums[asker == no_event ? no_event : trace.events[asker].name];
      ++sum.cause.count;
      sum.cause.us += us_of(gap);
      if (gap <= sum.longest) continue;
      sum.longest = gap;
      sum.from = from;
    }
  }
  std::vector<GapCause> causes;
  for (auto& [name, sum] : sums) {
    if (name != no_event) sum.cause.op = trace.names[name];
    if (sum.from != no_event) sum.cause.where = call_site(trace, sum.from);
    causes.push_back(std::move(sum.cause));
  }
  std::sort(causes.begin(), causes.end(),
            [](const GapCause& a, const GapCause& b) { return a.us != b.us ? a.us > b.us : a.op < b.op; });
  return causes;
}

/// Where the host runs ahead by a step or more, when a step's work ran: from its first piece to the next
/// step's. Empty where it does not, or where a step has no work.
std::vector<Span> device_steps(const Trace& trace, const std::vector<StepWindow>& windows) {
  std::vector<Span> ran(windows.size(), {std::numeric_limits<std::int64_t>::max(), 0});
  for (EventId id = 0; id < trace.events.size(); ++id) {
    if (!on_device(trace.events[id].kind) || trace.nesting.launch[id] == no_event) continue;
    const Event& call = trace.events[trace.nesting.launch[id]];
    const auto after = std::ranges::upper_bound(windows, call.ts, {}, &StepWindow::begin);
    if (after == windows.begin() || call.ts >= std::prev(after)->end) continue;
    Span& span = ran[static_cast<std::size_t>(std::prev(after) - windows.begin())];
    span.begin = std::min(span.begin, trace.events[id].ts);
    span.end = std::max(span.end, trace.events[id].end());
  }
  std::size_t ahead = 0;
  for (std::size_t at = 0; at < ran.size(); ++at) {
    if (ran[at].end == 0 || (at > 0 && ran[at].begin <= ran[at - 1].begin)) return {};
    if (at > 0) ran[at - 1].end = ran[at].begin;
    ahead += ran[at].begin >= windows[at].end ? 1 : 0;
  }
  return 2 * ahead > ran.size() ? ran : std::vector<Span>{};
}

/// A copy between host and device that its call waited for.
bool holds_host(const Event& call, const Event& copy) {
  if (copy.direction == Direction::device_to_device || copy.direction == Direction::peer) return false;
  return copy.host_memory == HostMemory::pageable || call.end() >= copy.end();
}

bool waits_by_name(const Trace& trace, const Event& event) {
  return is_call(event.kind) && is_synchronizing(trace.name(event));
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

/// Synchronizing calls, and copies that hold the host: those of pageable memory, and those whose call did not
/// return before the copy was done.
std::vector<WaitingCall> waiting_calls(const Trace& trace, const std::vector<bool>& inside) {
  std::vector<WaitingCall> calls;
  const auto named = named_waits(trace);
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const Event& event = trace.events[id];
    if (!takes_part(inside, id)) continue;
    if (named.contains(id)) calls.push_back({id, no_event});
    const EventId launch = trace.nesting.launch[id];
    if (event.kind == Kind::memcpy && launch != no_event && holds_host(trace.events[launch], event))
      calls.push_back({launch, id});
  }
  return calls;
}

/// When the host waited for data: the union over threads of the ranges that is_data_wait names.
Intervals data_waits(const Trace& trace, const std::vector<bool>& inside) {
  ByName loads(trace, is_data_wait);
  std::vector<Span> spans;
  for (const EventId id : trace.nesting.order) {
    const Event& event = trace.events[id];
    if (takes_part(inside, id) && loads(event)) spans.push_back(event.span());
  }
  return merged(std::move(spans));
}

std::vector<StepTime> steps_of(const Trace& trace) {
  const std::vector<StepWindow> windows = step_windows(trace);
  const auto ran = device_steps(trace, windows);
  std::vector<StepTime> steps;
  for (const StepWindow& window : windows) {
    StepTime step{.name = std::string(window.name), .begin = window.begin, .end = window.end};
    step.timed = ran.empty() ? Span{window.begin, window.end} : ran[steps.size()];
    step.us = us_of(step.timed.length());
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace

HostTime host_time(const Trace& trace, const std::vector<bool>& inside) {
  HostTime time;
  time.launches = launches(trace, inside);
  time.queues = queues(trace, inside);
  time.waits = waits(trace, waiting_calls(trace, inside));
  time.data_wait_us = us_of(length(data_waits(trace, inside)));
  time.gaps = gap_causes(trace, inside);
  time.steps = steps_of(trace);
  time.phases = phases(trace, inside);
  return time;
}

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

EventId asking_op(const Trace& trace, EventId event) {
  EventId found = no_event;
  for (EventId op = event; op != no_event; op = trace.nesting.parent[op]) {
    const Event& candidate = trace.events[op];
    if (candidate.kind == Kind::cpu_op && !trace.name(candidate).starts_with("autograd::engine")) found = op;
    if (candidate.kind == Kind::user_annotation) break;
  }
  return found;
}

std::vector<Wait> waits(const Trace& trace, const std::vector<WaitingCall>& calls) {
  std::map<std::tuple<NameId, Direction, NameId, std::string>, Wait> sums;
  for (const WaitingCall& entry : calls) {
    const Event& call = trace.events[entry.call];
    const Direction direction = entry.copy == no_event ? Direction::none : trace.events[entry.copy].direction;
    const EventId asker = asking_op(trace, entry.call);
    const NameId op = asker == no_event ? no_event : trace.events[asker].name;
    std::string where = call_site(trace, entry.call);
    Wait& sum = sums[{call.name, direction, op, where}];
    if (sum.count == 0) {
      sum.call = trace.name(call);
      if (asker != no_event) sum.op = trace.names[op];
      sum.where = std::move(where);
      sum.copy = entry.copy != no_event;
    }
    ++sum.count;
    sum.us += us_of(call.dur);
  }
  std::vector<Wait> result;
  for (auto& [key, sum] : sums) result.push_back(std::move(sum));
  std::ranges::stable_sort(result, std::ranges::greater{}, &Wait::us);
  return result;
}

std::vector<Phase> phases(const Trace& trace, const std::vector<bool>& inside) {
  std::vector<EventId> ranges;
  for (const EventId id : trace.nesting.order) {
    const Event& event = trace.events[id];
    if (event.kind == Kind::user_annotation && !is_step(trace.name(event)) && !trace.nesting.within_same[id])
      ranges.push_back(id);
  }
  const std::vector<EventId> modules = modules_of(trace);
  ranges.insert(ranges.end(), modules.begin(), modules.end());

  const Asked asked(trace, ranges);
  std::vector<Phase> result;
  std::unordered_map<NameId, std::size_t> rows;
  for (const EventId id : ranges) {
    if (!inside.empty() && !inside[id]) continue;
    const Event& event = trace.events[id];
    const auto [row, added] = rows.try_emplace(event.name, result.size());
    if (added) result.push_back({.name = std::string(trace.name(event))});
    Phase& phase = result[row->second];
    ++phase.count;
    phase.host_us += us_of(event.dur);
    phase.device_us += asked.within(event) * us_per_ns;
  }
  std::ranges::stable_sort(result, std::ranges::greater{}, &Phase::host_us);
  return result;
}

}  // namespace harness::trace
