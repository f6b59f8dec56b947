// Which part of a trace is looked at, a range of steps or the whole file; and sets of time: unions,
// intersections, how much of a window is covered.
#pragma once

#include "harness/trace/trace.hpp"

#include <algorithm>
#include <limits>

namespace harness::trace {

/// Disjoint intervals by time, each longer than 0: the union of what is given.
using Intervals = std::vector<Span>;
Intervals merged(std::vector<Span> list);

/// From the first begin to the last end of the chosen events; ends before it begins where there are none.
template <class Chosen>
Span span_of(const Trace& trace, const Chosen& chosen) {
  Span span{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  for (const auto& event : trace.events)
    if (chosen(event)) span = {std::min(span.begin, event.ts), std::max(span.end, event.end())};
  return span;
}

/// True if the time lies in one of the spans, which are sorted and do not overlap.
bool within(const std::vector<Span>& spans, std::int64_t time);

std::int64_t length(const Intervals& set);
Intervals intersection(const Intervals& left, const Intervals& right);

/// Asked how much of a window a set covers, in logarithmic time.
class Coverage {
 public:
  explicit Coverage(Intervals set);
  std::int64_t within(std::int64_t begin, std::int64_t end) const {
    return begin < end ? up_to(end) - up_to(begin) : 0;
  }

 private:
  std::int64_t up_to(std::int64_t time) const;

  Intervals set_;
  std::vector<std::int64_t> before_;  // length of all intervals before this one
};

/// True of what PyTorch's profiler calls a step: "ProfilerStep#17".
inline bool is_step(std::string_view name) { return name.starts_with("ProfilerStep#"); }
/// Its number, 17.
std::optional<std::int64_t> number_of_step(std::string_view name);

/// One ProfilerStep#N on the host.
struct StepWindow {
  std::int64_t number = 0;
  std::string_view name;  // "ProfilerStep#17"
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// The steps by time; empty where the trace was recorded without a schedule.
std::vector<StepWindow> step_windows(const Trace& trace);

/// Host events count that start in [begin, end); device events count when the call that launched them does.
/// Those whose call was not recorded count in the whole file only; where the trace joins no calls to work at
/// all, by their own start.
struct Window {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  bool whole_file = true;
  bool last_step_left_out = false;
};

/// What the user asked for (`--all-steps`, `--steps A..B`).
struct WindowChoice {
  bool all_steps = false;
  std::optional<std::int64_t> first_step = {};
  std::optional<std::int64_t> last_step = {};
};

/// With two or more steps and nothing chosen: everything that starts before the last step (as HTA does).
/// Throws BadInput where a chosen step is not in the trace, naming those that are.
Window choose_window(const Trace& trace, const WindowChoice& choice);

/// True for the events inside, by EventId.
std::vector<bool> inside(const Trace& trace, const Window& window);

}  // namespace harness::trace
