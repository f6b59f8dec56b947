#include "harness/trace/window.hpp"

#include "harness/core/setup.hpp"
#include "harness/trace/trace_text.hpp"

#include <fmt/format.h>

#include <utility>

namespace harness::trace {
namespace {

/// HTA's rule: work whose call is in the file counts with that call; work whose call was not recorded began
/// before the recording did and is left out, unless the trace joins nothing at all.
bool counts(const Trace& trace, const Window& window, EventId id) {
  const auto starts_inside = [&](const Event& event) {
    return event.ts >= window.begin && event.ts < window.end;
  };
  const Event& event = trace.events[id];
  if (!on_device(event.kind) && event.kind != Kind::sync) return starts_inside(event);
  if (trace.nesting.launch[id] != no_event) return starts_inside(trace.events[trace.nesting.launch[id]]);
  return event.correlation < 0 && starts_inside(event);
}

[[noreturn]] void refuse_step(const std::vector<StepWindow>& steps, const Trace& trace, std::int64_t wanted) {
  if (steps.empty())
    throw BadInput(fmt::format("{}: this trace has no steps, so you cannot choose any", trace.file));
  throw BadInput(fmt::format("{}: there is no step {}; the trace has steps {} to {}", trace.file, wanted,
                             steps.front().number, steps.back().number));
}

}  // namespace

Intervals merged(std::vector<Span> list) {
  if (!std::ranges::is_sorted(list, {}, &Span::begin)) std::ranges::sort(list, {}, &Span::begin);
  Intervals set;
  set.reserve(list.size());
  for (const Span& next : list) {
    if (next.end <= next.begin) continue;
    if (set.empty() || next.begin > set.back().end)
      set.push_back(next);
    else
      set.back().end = std::max(set.back().end, next.end);
  }
  return set;
}

bool within(const std::vector<Span>& spans, std::int64_t time) {
  const auto after = std::ranges::upper_bound(spans, time, {}, &Span::begin);
  return after != spans.begin() && time < std::prev(after)->end;
}

std::int64_t length(const Intervals& set) {
  std::int64_t sum = 0;
  for (const Span& interval : set) sum += interval.length();
  return sum;
}

Intervals intersection(const Intervals& left, const Intervals& right) {
  Intervals set;
  auto a = left.begin();
  auto b = right.begin();
  while (a != left.end() && b != right.end()) {
    const Span both{std::max(a->begin, b->begin), std::min(a->end, b->end)};
    if (both.begin < both.end) set.push_back(both);
    ++(a->end < b->end ? a : b);
  }
  return set;
}

Coverage::Coverage(Intervals set) : set_(std::move(set)) {
  std::int64_t sum = 0;
  before_.reserve(set_.size());
  for (const Span& interval : set_) {
    before_.push_back(sum);
    sum += interval.length();
  }
}

std::int64_t Coverage::up_to(std::int64_t time) const {
  const auto next = std::ranges::upper_bound(set_, time, {}, &Span::begin);
  if (next == set_.begin()) return 0;
  const auto last = static_cast<std::size_t>(next - set_.begin()) - 1;
  return before_[last] + std::min(time, set_[last].end) - set_[last].begin;
}

std::optional<std::int64_t> number_of_step(std::string_view name) {
  return integer(name.substr(name.find('#') + 1));
}

std::vector<StepWindow> step_windows(const Trace& trace) {
  std::vector<StepWindow> steps;
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const Event& event = trace.events[id];
    if (event.kind != Kind::user_annotation || !is_step(trace.name(event))) continue;
    const auto number = number_of_step(trace.name(event));
    if (number) steps.push_back({*number, trace.name(event), event.ts, event.end()});
  }
  std::ranges::stable_sort(steps, {}, &StepWindow::begin);
  return steps;
}

Window choose_window(const Trace& trace, const WindowChoice& choice) {
  const std::vector<StepWindow> steps = step_windows(trace);
  if (choice.first_step || choice.last_step) {
    const std::int64_t first = choice.first_step.value_or(std::numeric_limits<std::int64_t>::min());
    const std::int64_t last = choice.last_step.value_or(std::numeric_limits<std::int64_t>::max());
    Window window{std::numeric_limits<std::int64_t>::max(), 0, false, false};
    for (const StepWindow& step : steps) {
      if (step.number < first || step.number > last) continue;
      window.begin = std::min(window.begin, step.begin);
      window.end = std::max(window.end, step.end);
    }
    if (window.end <= window.begin) refuse_step(steps, trace, choice.first_step.value_or(last));
    return window;
  }
  const bool several = steps.size() > 1 && steps.front().name != steps.back().name;
  if (choice.all_steps || !several) return {0, std::numeric_limits<std::int64_t>::max(), true, false};
  return {0, steps.back().begin, false, true};
}

std::vector<bool> inside(const Trace& trace, const Window& window) {
  std::vector<bool> result(trace.events.size(), true);
  if (window.whole_file) return result;
  for (EventId id = 0; id < trace.events.size(); ++id) result[id] = counts(trace, window, id);
  return result;
}

}  // namespace harness::trace
