// What the host did while a device idled, beyond asking for work: long times in which it asked for nothing,
// and what it runs before it copies a batch without preparing one.
#include "harness/trace/evidence.hpp"
#include "harness/trace/host_use.hpp"
#include "harness/trace/idle_cause.hpp"
#include "harness/trace/kernel_rules.hpp"
#include "harness/trace/model_copies.hpp"
#include "harness/trace/thread_calls.hpp"
#include "harness/trace/trace_text.hpp"

namespace harness::trace {
namespace {

/// Times in which beginnings and ends of operators and calls follow each other within a millisecond.
std::vector<Span> active_times(const Trace& trace) {
  std::vector<Span> times;
  const auto mark = [&](std::int64_t time) {
    if (times.empty() || time <= times.back().begin - outside_ns || time >= times.back().end + outside_ns)
      times.push_back({time, time});
    times.back() = {std::min(times.back().begin, time), std::max(times.back().end, time)};
  };
  for (const auto id : trace.nesting.order) {
    const auto& event = trace.events[id];
    if (event.kind == Kind::user_annotation) continue;
    mark(event.ts);
    mark(event.end());
  }
  std::ranges::sort(times, {}, &Span::begin);
  return times;
}

/// The calls that started work, and the operators and ranges around them.
std::vector<bool> launching_events(const Trace& trace) {
  std::vector<bool> launching(trace.events.size());
  for (auto around : trace.nesting.launch)
    for (; around != no_event && !launching[around]; around = trace.nesting.parent[around])
      launching[around] = true;
  return launching;
}

/// When the last event of the host ends, ranges included.
std::int64_t end_of_host(const Trace& trace) {
  std::int64_t end = 0;
  for (const auto id : trace.nesting.order) end = std::max(end, trace.events[id].end());
  return end;
}

/// What lies between the active times, and behind the last of them.
std::vector<HostPause> between(const std::vector<Span>& active, std::int64_t end) {
  std::vector<HostPause> pauses;
  if (active.empty()) return pauses;
  auto until = active.front().end;
  for (const auto& time : active) {
    if (time.begin - until >= outside_ns) pauses.push_back({{until, time.begin}});
    until = std::max(until, time.end);
  }
  if (end - until >= outside_ns) pauses.push_back({{until, end}});
  return pauses;
}

bool names_saving(std::string_view name) {
  return has_any(name, {"save", "checkpoint", "serialization", "dump", "write", "state_dict", "upload"});
}

/// A function that may well prepare a batch: its name or its file speaks of data.
bool names_data(std::string_view frame) {
  if (frame.find("utils/data/") != std::string_view::npos) return true;
  const auto name = in_lower_case(frame.substr(frame.rfind('/') + 1));
  return !names_saving(name) && has_any(name, {"load", "batch", "collate", "getitem", "__next__", "data",
                                               "sample", "fetch", "decode", "transform", "augment", "process",
                                               "prepare", "token", "image", "input", "read"});
}

bool names_other_work(const Trace& trace, const Event& event, bool closures) {
  const auto name = trace.name(event);
  if ((name.starts_with("Optimizer.") && !closures) ||
      has_any(name, {"_fused_adam", "_fused_sgd", "_fused_adagrad"}))
    return true;
  if (names_model(name).value_or(false)) return true;
  return event.kind == Kind::user_annotation && names_saving(in_lower_case(name));
}

}  // namespace

std::vector<HostPause> host_pauses(const Trace& trace) {
  auto pauses = between(active_times(trace), end_of_host(trace));
  for (const auto id : trace.nesting.order) {
    const auto& event = trace.events[id];
    if (event.dur < outside_ns || event.kind == Kind::user_annotation) continue;
    // Frames, and ranges that were recorded as operators, do nothing themselves.
    if (!is_call(event.kind) && host_work(trace.name(event)) == HostWork::calling) continue;
    auto pause = std::ranges::lower_bound(pauses, event.ts, {}, &HostPause::begin);
    for (; pause != pauses.end() && pause->end <= event.end(); ++pause)
      if (pause->cause == no_event || trace.events[pause->cause].ts <= event.ts) pause->cause = id;
  }
  const auto launching = launching_events(trace);
  std::erase_if(pauses, [&](const HostPause& pause) {
    return pause.cause != no_event && (launching[pause.cause] || is_call(trace.events[pause.cause].kind));
  });
  return pauses;
}

HostOperators::HostOperators(const Trace& trace) : trace_(trace) {
  std::vector<bool> launches(trace.tracks.size());
  for (const auto call : trace.nesting.launch)
    if (call != no_event) launches[trace.events[call].track] = true;
  ByName work_of(trace, host_work);
  for (const auto id : trace.nesting.order) {
    const auto& event = trace.events[id];
    if (event.kind != Kind::cpu_op || !launches[event.track]) continue;
    const bool within = !operators_.empty() && trace.events[operators_.back()].track == event.track &&
                        event.ts < trace.events[operators_.back()].end();
    if (!within && work_of(event) != HostWork::calling) operators_.push_back(id);
  }
  std::ranges::stable_sort(operators_, {}, [&](EventId id) { return trace.events[id].ts; });
}

EventId HostOperators::filling(Span time) const {
  auto id =
      std::ranges::lower_bound(operators_, time.begin, {}, [&](EventId op) { return trace_.events[op].ts; });
  std::int64_t sum = 0;
  EventId most = no_event;
  for (; id != operators_.end() && trace_.events[*id].ts < time.end; ++id) {
    if (trace_.events[*id].end() > time.end) continue;
    sum += trace_.events[*id].dur;
    most = longer(trace_, most, *id);
  }
  return 2 * sum >= time.length() ? most : no_event;
}

OtherWork::OtherWork(const Trace& trace) {
  const bool closures = optimizer_runs_closures(trace);
  std::vector<signed char> known(trace.names.size(), -1);
  for (const auto id : trace.nesting.order) {
    const auto& event = trace.events[id];
    if (is_call(event.kind)) continue;
    auto& other = known[event.name];
    if (other < 0) other = names_other_work(trace, event, closures) ? 1 : 0;
    if (other == 1) ranges_.push_back({event.span(), id});
  }
  std::ranges::stable_sort(ranges_, {}, &HostPause::begin);
  std::vector<HostPause> outer;
  for (const auto& range : ranges_)
    if (outer.empty() || range.begin >= outer.back().end) outer.push_back(range);
  ranges_ = std::move(outer);
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const auto& event = trace.events[id];
    if (event.kind != Kind::python_function || event.dur < outside_ns || trace.name(event).starts_with('<'))
      continue;
    const bool data = names_data(trace.name(event));
    functions_.push_back({event.span(), data ? no_event : id});
  }
  std::ranges::stable_sort(
      functions_, {}, [](const HostPause& function) { return std::pair(function.begin, -function.end); });
}

std::vector<HostPause> OtherWork::before(Span time) const {
  const auto within = [&](const HostPause& work) {
    return HostPause{{std::max(work.begin, time.begin), std::min(work.end, time.end)}, work.cause};
  };
  std::vector<HostPause> pieces;
  auto range = std::ranges::upper_bound(ranges_, time.begin, {}, &HostPause::end);
  for (; range != ranges_.end() && range->begin < time.end; ++range) pieces.push_back(within(*range));
  const auto ranges = pieces;
  for (const auto& function : outermost_functions(time)) {
    auto now = function.begin;
    const auto add = [&](std::int64_t end) {
      if (end - now >= outside_ns) pieces.push_back({{now, end}, function.cause});
    };
    for (const auto& known : ranges) {
      if (known.end <= now || known.begin >= function.end) continue;
      add(known.begin);
      now = known.end;
    }
    add(function.end);
  }
  std::ranges::sort(pieces, {}, &HostPause::begin);
  return pieces;
}

std::vector<HostPause> OtherWork::outermost_functions(Span time) const {
  std::vector<HostPause> outer;
  std::vector<Span> data;
  for (const auto& function : functions_) {
    if (function.begin >= time.end) break;
    const Span part{std::max(function.begin, time.begin), function.end};
    // What ends behind the time runs around the copy as well, and says nothing of what comes before it.
    if (function.end > time.end || part.length() < outside_ns) continue;
    if (function.cause == no_event) data.push_back(part);
    if (outer.empty() || part.begin >= outer.back().end) outer.push_back({part, function.cause});
  }
  const Coverage loading(merged(std::move(data)));
  std::erase_if(outer, [&](const HostPause& function) {
    return 2 * loading.within(function.begin, function.end) >= function.length();
  });
  return outer;
}

}  // namespace harness::trace
