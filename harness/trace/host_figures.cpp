#include "harness/trace/host_figures.hpp"

#include "harness/trace/trace_text.hpp"
#include "harness/trace/waits.hpp"
#include "harness/trace/work.hpp"

#include <cstdlib>
#include <iterator>
#include <limits>
#include <unordered_map>
#include <utility>

namespace harness::trace {
namespace {

/// By the operator that ended the gap; its place is that of the longest one.
std::vector<GapCause> gap_causes(const Trace& trace, const Nesting& nesting,
                                 const std::vector<bool>& inside) {
  struct Sum {
    GapCause cause;
    std::int64_t longest = -1;
    EventId from = no_event;
  };
  std::unordered_map<NameId, Sum> sums;
  for (const auto& [number, device] : device_work(trace, inside)) {
    for (const Gap& gap : device_gaps(trace, device.work)) {
      const EventId launch = nesting.launch[gap.after];
      const EventId from = launch != no_event ? launch : nesting.asker[gap.after];
      const EventId asker = from == no_event ? no_event : asking_op(trace, nesting, from);
      Sum& sum = sums[asker == no_event ? no_event : trace.events[asker].name];
      ++sum.cause.count;
      sum.cause.us += us_of(gap.end - gap.begin);
      if (gap.end - gap.begin <= sum.longest) continue;
      sum.longest = gap.end - gap.begin;
      sum.from = from;
    }
  }
  std::vector<GapCause> causes;
  for (auto& [name, sum] : sums) {
    if (name != no_event) sum.cause.op = trace.names[name];
    if (sum.from != no_event) sum.cause.where = call_site(trace, nesting, sum.from);
    causes.push_back(std::move(sum.cause));
  }
  std::sort(causes.begin(), causes.end(),
            [](const GapCause& a, const GapCause& b) { return a.us != b.us ? a.us > b.us : a.op < b.op; });
  return causes;
}

Intervals spans(const Trace& trace, const std::vector<EventId>& events) {
  std::vector<TimeSpan> list;
  list.reserve(events.size());
  for (const EventId id : events) list.push_back({trace.events[id].ts, trace.events[id].end()});
  return merged(std::move(list));
}

/// Starts of the calls that launched work, by time.
std::vector<std::int64_t> launch_times(const Trace& trace, const Nesting& nesting) {
  std::vector<bool> counted(trace.events.size());
  std::vector<std::int64_t> times;
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const EventId launch = nesting.launch[id];
    if (!on_device(trace.events[id].kind) || launch == no_event || counted[launch]) continue;
    counted[launch] = true;
    times.push_back(trace.events[launch].ts);
  }
  std::sort(times.begin(), times.end());
  return times;
}

/// Where the host runs ahead by a step or more, when a step's work ran: from its first piece to the next
/// step's. Empty where it does not, or where a step has no work.
std::vector<TimeSpan> device_steps(const Trace& trace, const Nesting& nesting,
                                   const std::vector<EventId>& work, const std::vector<StepWindow>& windows) {
  std::vector<TimeSpan> ran(windows.size(), {std::numeric_limits<std::int64_t>::max(), 0});
  for (const EventId id : work) {
    if (nesting.launch[id] == no_event) continue;
    const Event& call = trace.events[nesting.launch[id]];
    const auto after = std::ranges::upper_bound(windows, call.ts, {}, &StepWindow::begin);
    if (after == windows.begin() || call.ts >= std::prev(after)->end) continue;
    TimeSpan& span = ran[static_cast<std::size_t>(std::prev(after) - windows.begin())];
    span.begin = std::min(span.begin, trace.events[id].ts);
    span.end = std::max(span.end, trace.events[id].end());
  }
  std::size_t ahead = 0;
  for (std::size_t at = 0; at < ran.size(); ++at) {
    if (ran[at].end == 0 || (at > 0 && ran[at].begin <= ran[at - 1].begin)) return {};
    if (at > 0) ran[at - 1].end = ran[at].begin;
    ahead += ran[at].begin >= windows[at].end ? 1 : 0;
  }
  return 2 * ahead > ran.size() ? ran : std::vector<TimeSpan>{};
}

std::vector<StepTime> steps_of(const Trace& trace, const Nesting& nesting) {
  const std::vector<StepWindow> windows = step_windows(trace);
  if (windows.empty()) return {};
  std::vector<EventId> work;
  for (const auto& [number, device] : device_work(trace, {}))
    work.insert(work.end(), device.work.begin(), device.work.end());
  std::vector<EventId> held;
  for (const WaitingCall& wait : waiting_calls(trace, nesting, {})) held.push_back(wait.call);
  const Coverage busy(spans(trace, work));
  const Coverage waiting(spans(trace, held));
  const Coverage loading(data_waits(trace, nesting, {}));
  const std::vector<std::int64_t> launched = launch_times(trace, nesting);
  const auto ran = device_steps(trace, nesting, work, windows);
  std::vector<StepTime> steps;
  for (const StepWindow& window : windows) {
    StepTime step{.name = std::string(window.name), .begin = window.begin, .end = window.end};
    step.timed = ran.empty() ? TimeSpan{window.begin, window.end} : ran[steps.size()];
    step.us = us_of(step.timed.end - step.timed.begin);
    step.device_busy_us = us_of(busy.within(step.timed.begin, step.timed.end));
    step.data_wait_us = us_of(loading.within(window.begin, window.end));
    step.sync_wait_us = us_of(waiting.within(window.begin, window.end));
    const auto first = std::lower_bound(launched.begin(), launched.end(), window.begin);
    step.launches = std::lower_bound(first, launched.end(), window.end) - first;
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace

std::int64_t number_of_step(std::string_view name) {
  return std::atoll(std::string(name.substr(name.find('#') + 1)).c_str());
}

HostTime host_time(const Trace& trace, const Nesting& nesting, const std::vector<bool>& inside) {
  HostTime time;
  time.launches = launches(trace, nesting, inside);
  time.queues = queues(trace, nesting, inside);
  const std::vector<WaitingCall> held = waiting_calls(trace, nesting, inside);
  time.waits = waits(trace, nesting, held);
  for (const Wait& wait : time.waits) (wait.copy ? time.copy_wait_us : time.sync_wait_us) += wait.us;
  time.data_wait_us = us_of(length(data_waits(trace, nesting, inside)));
  time.gaps = gap_causes(trace, nesting, inside);
  time.steps = steps_of(trace, nesting);
  time.phases = phases(trace, nesting, inside);
  return time;
}

}  // namespace harness::trace
