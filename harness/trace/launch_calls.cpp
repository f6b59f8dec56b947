#include "harness/trace/launch_calls.hpp"

#include "harness/trace/window.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace harness::trace {
namespace {

/// A recording that stops before the device has finished loses its last kernels; a tenth would decide
/// verdicts.
constexpr double most_without_kernel = 0.1;

/// When each thread captured a graph, from the call that began it to the one that ended it.
class Captures {
 public:
  explicit Captures(const Trace& trace) {
    std::unordered_map<std::uint32_t, std::vector<std::pair<std::int64_t, bool>>> marks;
    for (const auto& event : trace.events) {
      if (event.kind != Kind::runtime && event.kind != Kind::driver) continue;
      const auto name = trace.name(event);
      const bool begins = name.find("StreamBeginCapture") != name.npos;
      if (begins || name.find("StreamEndCapture") != name.npos)
        marks[event.track].emplace_back(event.ts, begins);
    }
    for (auto& [track, list] : marks) {
      std::ranges::sort(list);
      for (std::size_t at = 0; at + 1 < list.size(); ++at)
        if (list[at].second) spans_.push_back({list[at].first, list[at + 1].first});
    }
    spans_ = merged(std::move(spans_));
  }

  bool contain(std::int64_t time) const {
    const auto after = std::ranges::upper_bound(spans_, time, {}, &TimeSpan::begin);
    return after != spans_.begin() && time < std::prev(after)->end;
  }

 private:
  Intervals spans_;
};

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

bool is_in_graph(const Trace& trace, const Nesting& nesting, EventId work) {
  const auto call = nesting.launch[work];
  return call != no_event && is_graph_launch(trace.name(trace.events[call]));
}

std::vector<LaunchCall> launch_calls(const Trace& trace, const Nesting& nesting) {
  std::vector<bool> has_work(trace.events.size());
  for (EventId id = 0; id < trace.events.size(); ++id)
    if (nesting.launch[id] != no_event) has_work[nesting.launch[id]] = true;
  const Captures captures(trace);
  std::vector<LaunchCall> calls;
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const auto& event = trace.events[id];
    if ((event.kind != Kind::runtime && event.kind != Kind::driver) || event.correlation < 0) continue;
    const bool graph = is_graph_launch(trace.name(event));
    if (!graph && !is_kernel_launch(trace.name(event))) continue;
    const auto without = captures.contain(event.ts) ? LaunchOutcome::captured : LaunchOutcome::lost;
    calls.push_back({event.ts, has_work[id] ? LaunchOutcome::ran : without, graph});
  }
  std::ranges::stable_sort(calls, {}, &LaunchCall::ts);
  return calls;
}

LaunchCount count_within(std::span<const LaunchCall> calls, std::int64_t begin, std::int64_t end) {
  LaunchCount count;
  auto call = std::ranges::lower_bound(calls, begin, {}, &LaunchCall::ts);
  for (; call != calls.end() && call->ts < end; ++call) {
    ++count.all;
    if (call->what == LaunchOutcome::captured) ++count.captured;
    if (call->what == LaunchOutcome::lost) ++count.lost;
    if (call->graph) ++count.graphs;
  }
  return count;
}

bool too_few_kernels(const LaunchCount& count) {
  return static_cast<double>(count.captured + count.lost) >
         most_without_kernel * static_cast<double>(count.all);
}

}  // namespace harness::trace
