#include "harness/trace/allocations.hpp"

#include "harness/trace/intervals.hpp"

#include <algorithm>
#include <utility>

namespace harness {

std::int64_t allocations_outside(const Trace& trace, const Nesting& nesting,
                                 const std::vector<bool>& inside) {
  std::vector<std::int64_t> times;
  for (EventId id = 0; id < trace.events.size(); ++id)
    if (trace.events[id].kind == Kind::memory && (inside.empty() || inside[id]))
      times.push_back(trace.events[id].ts);
  if (times.empty()) return 0;
  std::vector<Interval> running;
  running.reserve(nesting.order.size());
  for (const EventId id :
       nesting.order)  // one more nanosecond: an allocation at the very end belongs to the operator
    running.push_back({trace.events[id].ts, trace.events[id].end() + 1});
  const Coverage covered(merged(std::move(running)));
  return std::count_if(times.begin(), times.end(),
                       [&](std::int64_t time) { return covered.within(time, time + 1) == 0; });
}

}  // namespace harness
