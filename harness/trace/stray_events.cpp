#include "harness/trace/stray_events.hpp"

#include "harness/trace/window.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace harness::trace {
namespace {

// A time without anything is a wrong stamp's from here on, if it is so much longer than all the rest.
constexpr std::int64_t nothing_ns = hour_ns / 360;
constexpr std::int64_t far_factor = 10;
// A program may pause before its last percent of events; for an hour hardly.
constexpr std::size_t few_behind_pause = 100;
constexpr std::size_t few_behind_hour = 10;
constexpr std::size_t least_others = 10;

/// Of what a trace shows of a program's time.
bool takes_time(const Trace& trace, const Event& event) {
  switch (event.kind) {
    case Kind::cpu_op:
    case Kind::user_annotation:
    case Kind::gpu_user_annotation:
    case Kind::runtime:
    case Kind::driver:
    case Kind::memory:
    case Kind::python_function:
      return true;
    default:
      return (on_device(event.kind) || event.kind == Kind::sync) && event.ts + trace.origin != 0;
  }
}

TimeSpan time_of_all(const Trace& trace) {
  TimeSpan all{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  for (const auto& event : trace.events)
    if (takes_time(trace, event)) all = {std::min(all.begin, event.ts), std::max(all.end, event.end())};
  return all;
}

/// How long half of the events take to begin, the middle ones; asked of a sample.
std::int64_t middle_ns(const Trace& trace, const std::vector<EventId>& events) {
  constexpr std::size_t sample = 1000;
  std::vector<std::int64_t> begins;
  for (std::size_t at = 0; at < events.size(); at += std::max<std::size_t>(events.size() / sample, 1))
    begins.push_back(trace.events[events[at]].ts);
  std::ranges::sort(begins);
  return begins[begins.size() * 3 / 4] - begins[begins.size() / 4];
}

/// Events that follow each other within 10 s, or last at the same time.
struct Cluster {
  TimeSpan span;
  std::vector<EventId> events;
};

std::vector<Cluster> clusters(const Trace& trace, std::vector<EventId> events) {
  std::ranges::sort(events, {}, [&](EventId id) { return trace.events[id].ts; });
  std::vector<Cluster> all;
  for (const auto id : events) {
    const auto& event = trace.events[id];
    if (all.empty() || event.ts - all.back().span.end >= nothing_ns)
      all.push_back({{event.ts, event.end()}, {}});
    all.back().span.end = std::max(all.back().span.end, event.end());
    all.back().events.push_back(id);
  }
  return all;
}

bool is_far(const Cluster& cluster, const Cluster& most, std::int64_t distance) {
  const auto others = most.events.size();
  const auto few =
      std::max<std::size_t>(others / (distance >= hour_ns ? few_behind_hour : few_behind_pause), 1);
  return others >= least_others && cluster.events.size() <= few &&
         distance / far_factor >= most.span.end - most.span.begin;
}

}  // namespace

std::vector<Stray> strays(const Trace& trace) {
  const auto all = time_of_all(trace);
  if (all.end < all.begin || all.end - all.begin < nothing_ns) return {};
  std::vector<EventId> events;
  for (EventId id = 0; id < trace.events.size(); ++id)
    if (takes_time(trace, trace.events[id])) events.push_back(id);
  const auto middle = middle_ns(trace, events);
  if (events.size() < least_others || (all.end - all.begin) / far_factor < middle) return {};
  std::vector<Stray> found;
  std::erase_if(events, [&](EventId id) {
    const auto lasts = trace.events[id].dur;
    if (lasts < hour_ns || lasts / far_factor < middle) return false;
    found.push_back({id, lasts});
    return true;
  });
  const auto together = clusters(trace, std::move(events));
  if (together.empty()) return found;
  const auto& most =
      *std::ranges::max_element(together, {}, [](const Cluster& cluster) { return cluster.events.size(); });
  for (const auto& cluster : together) {
    const auto distance = std::max(cluster.span.begin - most.span.end, most.span.begin - cluster.span.end);
    if (!is_far(cluster, most, distance)) continue;
    for (const auto id : cluster.events) found.push_back({id, distance});
  }
  return found;
}

}  // namespace harness::trace
