#include "harness/trace/allocations.hpp"

#include "harness/trace/trace_text.hpp"
#include "harness/trace/window.hpp"

#include <utility>

namespace harness::trace {
namespace {

MemoryUse use_of(const Trace& trace, const Event& event) {
  const bool host = integer(argument(trace, event, "Device Type")).value_or(0) == 0;
  return host ? MemoryUse{event.bytes, 0} : MemoryUse{0, event.bytes};
}

}  // namespace

MemoryUse& MemoryUse::operator+=(const MemoryUse& other) {
  host += other.host;
  device += other.device;
  return *this;
}

MemoryUse& MemoryUse::operator-=(const MemoryUse& other) {
  host -= other.host;
  device -= other.device;
  return *this;
}

Allocations::Allocations(const Trace& trace) {
  std::vector<EventId> events;
  for (EventId id = 0; id < trace.events.size(); ++id)
    if (trace.events[id].kind == Kind::memory) events.push_back(id);
  std::ranges::stable_sort(events, {}, [&](EventId id) { return trace.events[id].ts; });
  MemoryUse sum;
  for (const EventId id : events) {
    times_.push_back(trace.events[id].ts);
    sums_.push_back(sum += use_of(trace, trace.events[id]));
  }
}

MemoryUse Allocations::within(std::int64_t begin, std::int64_t end) const {
  const auto before = std::ranges::lower_bound(times_, begin) - times_.begin();
  const auto up_to = std::ranges::upper_bound(times_, end) - times_.begin();
  if (up_to <= before) return {};
  MemoryUse use = sums_[static_cast<std::size_t>(up_to - 1)];
  return before == 0 ? use : use -= sums_[static_cast<std::size_t>(before - 1)];
}

OutsideMemory allocations_outside(const Trace& trace, const Nesting& nesting,
                                  const std::vector<bool>& inside) {
  std::vector<EventId> events;
  for (EventId id = 0; id < trace.events.size(); ++id)
    if (trace.events[id].kind == Kind::memory && (inside.empty() || inside[id])) events.push_back(id);
  if (events.empty()) return {};
  std::vector<TimeSpan> running;
  running.reserve(nesting.order.size());
  for (const EventId id :
       nesting.order)  // one more nanosecond: an allocation at the very end belongs to the operator
    running.push_back({trace.events[id].ts, trace.events[id].end() + 1});
  const Coverage covered(merged(std::move(running)));
  OutsideMemory outside;
  for (const EventId id : events) {
    const auto time = trace.events[id].ts;
    if (covered.within(time, time + 1) > 0) continue;
    ++outside.count;
    outside.use += use_of(trace, trace.events[id]);
  }
  return outside;
}

}  // namespace harness::trace
