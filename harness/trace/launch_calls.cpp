#include "harness/trace/launch_calls.hpp"

#include "harness/core/median.hpp"
#include "harness/support/quantity.hpp"
#include "harness/trace/host_figures.hpp"
#include "harness/trace/trace_text.hpp"
#include "harness/trace/window.hpp"

#include <fmt/format.h>

#include <map>
#include <unordered_map>
#include <utility>

namespace harness::trace {
namespace {

/// A recording that stops before the device has finished loses its last kernels; a tenth would decide
/// verdicts.
constexpr double most_without_kernel = 0.1;

/// When a thread captured a graph, from the call that began it to the one that ended it.
Intervals captures_of(const Trace& trace) {
  std::unordered_map<std::uint32_t, std::vector<std::pair<std::int64_t, bool>>> marks;
  for (const auto& event : trace.events) {
    if (!is_call(event.kind)) continue;
    const auto name = trace.name(event);
    const bool begins = has_any(name, {"StreamBeginCapture"});
    if (begins || has_any(name, {"StreamEndCapture"})) marks[event.track].emplace_back(event.ts, begins);
  }
  std::vector<Span> spans;
  for (auto& [track, list] : marks) {
    std::ranges::sort(list);
    for (std::size_t at = 0; at + 1 < list.size(); ++at)
      if (list[at].second) spans.push_back({list[at].first, list[at + 1].first});
  }
  return merged(std::move(spans));
}

}  // namespace

LaunchCount& LaunchCount::operator+=(const LaunchCount& other) {
  all += other.all;
  captured += other.captured;
  lost += other.lost;
  graphs += other.graphs;
  return *this;
}

bool is_kernel_launch(std::string_view call) {
  const auto at = call.find("Launch");
  return at != call.npos && call.find("Kernel", at) != call.npos;
}

bool is_graph_launch(std::string_view call) { return call.find("GraphLaunch") != call.npos; }

bool is_in_graph(const Trace& trace, EventId work) {
  const auto call = trace.nesting.launch[work];
  return call != no_event && is_graph_launch(trace.name(call));
}

std::vector<LaunchCall> launch_calls(const Trace& trace) {
  std::vector<bool> has_work(trace.events.size());
  for (EventId id = 0; id < trace.events.size(); ++id)
    if (trace.nesting.launch[id] != no_event) has_work[trace.nesting.launch[id]] = true;
  const auto captures = captures_of(trace);
  std::vector<LaunchCall> calls;
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const auto& event = trace.events[id];
    if (!is_call(event.kind) || event.correlation < 0) continue;
    const bool graph = is_graph_launch(trace.name(event));
    if (!graph && !is_kernel_launch(trace.name(event))) continue;
    const auto without = within(captures, event.ts) ? LaunchOutcome::captured : LaunchOutcome::lost;
    calls.push_back({event.ts, has_work[id] ? LaunchOutcome::ran : without, graph});
  }
  std::ranges::stable_sort(calls, {}, &LaunchCall::ts);
  return calls;
}

LaunchCount count_all(std::span<const LaunchCall> calls) {
  LaunchCount count;
  for (const auto& call : calls) {
    ++count.all;
    if (call.what == LaunchOutcome::captured) ++count.captured;
    if (call.what == LaunchOutcome::lost) ++count.lost;
    if (call.graph) ++count.graphs;
  }
  return count;
}

LaunchCount count_within(std::span<const LaunchCall> calls, std::int64_t begin, std::int64_t end) {
  const auto first = std::ranges::lower_bound(calls, begin, {}, &LaunchCall::ts);
  const auto behind = std::ranges::lower_bound(first, calls.end(), end, {}, &LaunchCall::ts);
  return count_all({first, behind});
}

bool too_few_kernels(const LaunchCount& count) {
  return static_cast<double>(count.captured + count.lost) >
         most_without_kernel * static_cast<double>(count.all);
}

std::string lost_text(const LaunchCount& count) {
  if (count.lost == 0) return "";
  return fmt::format(
      "{} of {} launches have no kernel in the trace (lost by the profiler, or left out): the device's time, "
      "its kernels and their sums lack them",
      count_text(count.lost), count_text(count.all));
}

namespace {

/// One piece of work and the call that asked for it.
struct Pair {
  EventId call;
  EventId work;
};

std::vector<Pair> pairs_of(const Trace& trace, const std::vector<bool>& inside) {
  std::vector<Pair> pairs;
  for (EventId id = 0; id < trace.events.size(); ++id)
    if (on_device(trace.events[id].kind) && trace.nesting.launch[id] != no_event &&
        (inside.empty() || inside[id]))
      pairs.push_back({trace.nesting.launch[id], id});
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
  }
  const double duration = static_cast<double>(last - changes.front().ts) * us_per_ns;
  queue.mean = sum / static_cast<double>(changes.size());
  queue.time_mean = duration > 0 ? area / duration : 0;
  return queue;
}

}  // namespace

Launches launches(const Trace& trace, const std::vector<bool>& inside) {
  const std::vector<Pair> pairs = pairs_of(trace, inside);
  Launches result;
  if (pairs.empty()) return result;
  std::vector<bool> counted(trace.events.size());
  std::vector<double> delays;
  std::vector<double> calls;
  for (const Pair& pair : pairs) {
    delays.push_back(delay_us(trace, pair));
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

std::vector<Queue> queues(const Trace& trace, const std::vector<bool>& inside) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Change>> changes;
  for (const Pair& pair : pairs_of(trace, inside)) {
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
