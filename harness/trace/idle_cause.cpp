#include "harness/trace/idle_cause.hpp"

#include "harness/trace/host_time.hpp"

#include <algorithm>

namespace harness::trace {
namespace {

constexpr std::int64_t ns_per_us = 1000;
// HTA's threshold: a gap of a launched piece below it is the device's own.
constexpr std::int64_t between_ns = 30 * ns_per_us;
// The clocks of host and device agree to about this; a wait may seem to end just before the work it waited
// for.
constexpr std::int64_t clock_slack_ns = 5 * ns_per_us;
// From this size on a copy to the device is taken for a batch: the smallest size that transfer/pinned_h2d
// sweeps.
constexpr std::int64_t batch_bytes = 64 << 10;

}  // namespace

IdleCauses::IdleCauses(const Trace& trace, const Nesting& nesting) : trace_(trace), nesting_(nesting) {
  add_data_waits(trace);
  add_synchronizations(trace, nesting);
  for (auto* ranges : {&data_waits_, &synchronizations_}) {
    std::ranges::stable_sort(*ranges, {}, [](const Held& held) { return held.span.begin; });
    std::vector<Held> disjoint;
    for (const auto& held : *ranges) {
      if (disjoint.empty() || held.span.begin >= disjoint.back().span.end)
        disjoint.push_back(held);
      else if (held.span.end > disjoint.back().span.end)
        disjoint.back().span.end = held.span.end;
    }
    *ranges = std::move(disjoint);
  }
}

void IdleCauses::add_data_waits(const Trace& trace) {
  std::vector<signed char> named(trace.names.size(), -1);
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const auto& event = trace.events[id];
    if (event.kind != Kind::user_annotation && event.kind != Kind::cpu_op) continue;
    auto& known = named[event.name];
    if (known < 0) known = is_data_wait(trace.name(event)) ? 1 : 0;
    if (known == 1) data_waits_.push_back({{event.ts, event.end()}, id});
  }
}

void IdleCauses::add_synchronizations(const Trace& trace, const Nesting& nesting) {
  std::vector<signed char> named(trace.names.size(), -1);
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const auto& event = trace.events[id];
    if (event.kind == Kind::runtime || event.kind == Kind::driver) {
      auto& known = named[event.name];
      if (known < 0) known = is_synchronizing(trace.name(event)) ? 1 : 0;
      if (known == 1) synchronizations_.push_back({{event.ts, event.end()}, id});
    }
    // A copy to the host whose call returns only after the copy ended has waited for it.
    if (event.kind == Kind::memcpy && event.direction == Direction::device_to_host) {
      const auto call = nesting.launch[id];
      if (call != no_event && trace.events[call].end() + clock_slack_ns >= event.end())
        synchronizations_.push_back({{trace.events[call].ts, trace.events[call].end()}, call});
    }
  }
}

EventId IdleCauses::drained_by(std::int64_t time) const {
  const auto next =
      std::ranges::upper_bound(synchronizations_, time, {}, [](const Held& held) { return held.span.begin; });
  if (next == synchronizations_.begin()) return no_event;
  const auto& held = *std::prev(next);
  return held.span.end + clock_slack_ns >= time ? held.event : no_event;
}

bool IdleCauses::brings_data(EventId work) const {
  if (work == no_event) return false;
  const auto& event = trace_.events[work];
  return event.kind == Kind::memcpy && event.direction == Direction::host_to_device &&
         event.bytes >= batch_bytes;
}

void IdleCauses::explain(Span gap, EventId after, std::vector<Moment>& moments) const {
  const auto call = after == no_event ? no_event : nesting_.launch[after];
  if (call == no_event || trace_.events[call].ts >= gap.begin) return explain_host(gap, after, moments);
  // Launched in time. A call that is still running holds a copy of pageable memory, which the host feeds.
  if (brings_data(after) && trace_.events[call].end() >= gap.end - clock_slack_ns)
    moments.push_back({gap.begin, gap.end, Use::wait_input, call});
  else
    moments.push_back(
        {gap.begin, gap.end, gap.end - gap.begin < between_ns ? Use::between : Use::wait_other, after});
}

void IdleCauses::explain_host(Span gap, EventId after, std::vector<Moment>& moments) const {
  const auto sync = drained_by(gap.begin);
  const auto rest = [&](std::int64_t begin, std::int64_t end) {
    if (begin >= end) return;
    if (brings_data(after))
      moments.push_back({begin, end, Use::wait_input, after});
    else if (sync != no_event)
      moments.push_back({begin, end, Use::wait_sync, sync});
    else
      moments.push_back({begin, end, Use::wait_launch, after});
  };
  auto now = gap.begin;
  auto loading =
      std::ranges::upper_bound(data_waits_, gap.begin, {}, [](const Held& held) { return held.span.end; });
  for (; loading != data_waits_.end() && loading->span.begin < gap.end; ++loading) {
    const auto begin = std::max(loading->span.begin, now);
    const auto end = std::min(loading->span.end, gap.end);
    rest(now, begin);
    if (begin < end) moments.push_back({begin, end, Use::wait_input, loading->event});
    now = std::max(now, end);
  }
  rest(now, gap.end);
}

}  // namespace harness::trace
