#include "harness/trace/host_figures.hpp"
#include "harness/trace/trace_text.hpp"
#include "harness/trace/window.hpp"

#include <unordered_map>
#include <utility>

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
  Asked(const Trace& trace, const Nesting& nesting, const std::vector<EventId>& ranges) {
    std::unordered_map<std::uint32_t, std::vector<TimeSpan>> spans;
    for (const EventId id : ranges) {
      const Event& range = trace.events[id];
      spans[range.track].push_back({range.ts, range.end()});
    }
    std::unordered_map<std::uint32_t, Coverage> covered;
    for (auto& [track, list] : spans) covered.emplace(track, Coverage(merged(std::move(list))));
    for (EventId id = 0; id < trace.events.size(); ++id) {
      if (!on_device(trace.events[id].kind) || nesting.launch[id] == no_event) continue;
      const Event& call = trace.events[nesting.launch[id]];
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
std::vector<EventId> modules_of(const Trace& trace, const Nesting& nesting) {
  std::vector<EventId> modules;
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const Event& event = trace.events[id];
    if (event.kind != Kind::python_function || !trace.name(event).starts_with(module_prefix)) continue;
    const EventId outer = nesting.python[id];
    if (outer == no_event || trace.events[outer].name != event.name) modules.push_back(id);
  }
  return modules;
}

}  // namespace

std::vector<Phase> phases(const Trace& trace, const Nesting& nesting, const std::vector<bool>& inside) {
  std::vector<EventId> ranges;
  for (const EventId id : nesting.order) {
    const Event& event = trace.events[id];
    const bool step = trace.name(event).starts_with("ProfilerStep#");
    if (event.kind == Kind::user_annotation && !step && !nesting.within_same[id]) ranges.push_back(id);
  }
  const std::vector<EventId> modules = modules_of(trace, nesting);
  ranges.insert(ranges.end(), modules.begin(), modules.end());

  const Asked asked(trace, nesting, ranges);
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
  std::stable_sort(result.begin(), result.end(),
                   [](const Phase& a, const Phase& b) { return a.host_us > b.host_us; });
  return result;
}

}  // namespace harness::trace
