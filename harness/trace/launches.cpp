#include "harness/core/median.hpp"
#include "harness/trace/host_figures.hpp"
#include "harness/trace/trace_text.hpp"

#include <map>
#include <utility>

namespace harness::trace {
namespace {

/// One piece of work and the call that asked for it.
struct Pair {
  EventId call;
  EventId work;
};

std::vector<Pair> pairs_of(const Trace& trace, const Nesting& nesting, const std::vector<bool>& inside) {
  std::vector<Pair> pairs;
  for (EventId id = 0; id < trace.events.size(); ++id)
    if (on_device(trace.events[id].kind) && nesting.launch[id] != no_event && (inside.empty() || inside[id]))
      pairs.push_back({nesting.launch[id], id});
  return pairs;
}

double delay_us(const Trace& trace, const Pair& pair) {
  const std::int64_t delay = trace.events[pair.work].ts - trace.events[pair.call].end();
  return static_cast<double>(std::max<std::int64_t>(delay, 0)) * us_per_ns;
}

/// +1 when a call enqueues, -1 when its work begins.
struct Change {
  std::int64_t ts;
  std::int64_t by;
};

Queue queue_of(std::vector<Change>& changes) {
  // Of two changes at one time the call counts first: work cannot begin before it is asked for.
  std::sort(changes.begin(), changes.end(),
            [](const Change& a, const Change& b) { return a.ts != b.ts ? a.ts < b.ts : a.by > b.by; });
  Queue queue;
  queue.points.reserve(changes.size());
  double sum = 0;
  double area = 0;
  std::int64_t length = 0;
  std::int64_t last = changes.front().ts;
  for (const Change& change : changes) {
    const double passed = us_of(change.ts - last);
    area += passed * static_cast<double>(std::max<std::int64_t>(length, 0));
    if (length <= 0) queue.empty_us += passed;
    last = change.ts;
    length += change.by;
    sum += static_cast<double>(length);
    queue.max = std::max(queue.max, length);
    queue.points.push_back({change.ts, length});
  }
  const double duration = static_cast<double>(last - changes.front().ts) * us_per_ns;
  queue.mean = sum / static_cast<double>(changes.size());
  queue.time_mean = duration > 0 ? area / duration : 0;
  return queue;
}

}  // namespace

Launches launches(const Trace& trace, const Nesting& nesting, const std::vector<bool>& inside) {
  const std::vector<Pair> pairs = pairs_of(trace, nesting, inside);
  Launches result;
  if (pairs.empty()) return result;
  std::vector<bool> counted(trace.events.size());
  std::vector<double> delays;
  std::vector<double> calls;
  for (const Pair& pair : pairs) {
    delays.push_back(delay_us(trace, pair));
    result.delay_us_mean += delays.back() / static_cast<double>(pairs.size());
    if (counted[pair.call]) continue;  // one graph launch starts many kernels
    counted[pair.call] = true;
    calls.push_back(us_of(trace.events[pair.call].dur));
  }
  result.count = static_cast<std::int64_t>(calls.size());
  result.call_us = median(std::move(calls));
  result.delay_us_max = std::ranges::max(delays);
  result.delay_us_median = median(std::move(delays));
  return result;
}

std::vector<Queue> queues(const Trace& trace, const Nesting& nesting, const std::vector<bool>& inside) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Change>> changes;
  for (const Pair& pair : pairs_of(trace, nesting, inside)) {
    const Event& work = trace.events[pair.work];
    std::vector<Change>& stream = changes[{work.device, work.stream}];
    stream.push_back({trace.events[pair.call].ts, 1});
    stream.push_back({work.ts, -1});
  }
  std::vector<Queue> result;
  for (auto& [where, list] : changes) {
    result.push_back(queue_of(list));
    result.back().device = where.first;
    result.back().stream = where.second;
  }
  return result;
}

}  // namespace harness::trace
