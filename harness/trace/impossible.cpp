#include "harness/trace/impossible.hpp"

#include "harness/core/median.hpp"
#include "harness/support/quantity.hpp"
#include "harness/trace/host_use.hpp"
#include "harness/trace/launch_calls.hpp"
#include "harness/trace/trace_text.hpp"
#include "harness/trace/window.hpp"

#include <fmt/format.h>

#include <utility>

namespace harness::trace {
namespace {

// The clocks of host and device agree to about this, and stamps of neighbours may be rounded.
constexpr std::int64_t slack_ns = 5'000;
// PCIe 6 with 16 lanes moves 128 GB/s in one direction; NVLink to a Grace CPU and the memory that an MI300A
// shares with its CPU are faster.
constexpr double link_gb_s = 128;
constexpr double joined_gb_s = 1000;
// A copy that is smaller ends within the resolution of its stamps.
constexpr std::int64_t timed_bytes = 64 << 10;
// Less than a tenth of the time, or of the kernels, changes no verdict that is not near its line anyway.
constexpr double overlooked = 0.1;

/// Stamps count from 1970 or from the machine's start: an event at 0 has none.
bool at_time_0(const Trace& trace, const Event& event) { return event.ts + trace.origin == 0; }

constexpr std::int64_t hour_ns = std::int64_t{3600} * 1'000'000'000;

void find_time_0(const Trace& trace, Impossible& found) {
  std::int64_t last = 0;
  for (const auto& event : trace.events) last = std::max(last, event.ts);
  if (last < hour_ns) return;
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const auto& event = trace.events[id];
    if (!at_time_0(trace, event) || !(on_device(event.kind) || event.kind == Kind::sync)) continue;
    found.events.push_back(id);
    ++found.at_time_0;
  }
}

double link_of(const Trace& trace) {
  for (const auto& device : trace.devices)
    if (has_any(device.name, {"GH200", "GB200", "GB300", "GB10", "MI300A"})) return joined_gb_s;
  return link_gb_s;
}

void find_fast_copies(const Trace& trace, Impossible& found) {
  const double link = link_of(trace);
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const auto& event = trace.events[id];
    if (!crosses_bus(event) || event.bytes < timed_bytes) continue;
    const double rate =
        static_cast<double>(event.bytes) / static_cast<double>(std::max<std::int64_t>(event.dur, 1));
    if (rate <= link) continue;
    found.events.push_back(id);
    ++found.too_fast;
    found.fastest_gb_s = std::max(found.fastest_gb_s, rate);
  }
}

bool is_same(const Event& one, const Event& other) {
  return one.ts == other.ts && one.dur == other.dur && one.name == other.name && one.kind == other.kind;
}

/// A stream runs its kernels in order: one that is behind another may begin early (programmatic launch), but
/// not end early. Branches of a graph may lie on one stream.
void find_overlaps(const Trace& trace, Impossible& found) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<EventId>> streams;
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const auto& event = trace.events[id];
    if (on_device(event.kind) && event.kind != Kind::accelerator && event.stream >= 0 &&
        !is_in_graph(trace, id))
      streams[{event.device, event.stream}].push_back(id);
  }
  for (auto& [stream, work] : streams) {
    std::ranges::stable_sort(work, {}, [&](EventId id) { return trace.events[id].ts; });
    EventId longest = no_event;
    EventId counted = no_event;
    EventId before = no_event;
    for (const auto id : work) {
      const auto& event = trace.events[id];
      const bool again = before != no_event && event.dur > 0 && is_same(trace.events[before], event);
      before = id;
      if (again) {
        found.events.push_back(id);
        ++found.twice;
      }
      if (again || event.kind != Kind::kernel) continue;
      if (longest != no_event && trace.events[longest].end() > event.end() + slack_ns && counted != longest) {
        counted = longest;
        ++found.overlapping;
        found.overlap_us += us_of(trace.events[longest].end() - event.ts);
      }
      if (longest == no_event || event.end() > trace.events[longest].end()) longest = id;
    }
  }
}

/// A thread runs one operator at a time: of two, one lies within the other, or behind it. Ranges may cross,
/// and so may collectives: some end in a callback. Names without a namespace may be ranges of old profilers.
void find_crossings(const Trace& trace, Impossible& found) {
  ByName is_operator(trace, [](std::string_view name) {
    return has_any(name, {"::"}) && host_work(name) != HostWork::communication;
  });
  std::vector<EventId> open;
  std::uint32_t track = 0;
  for (const auto id : trace.nesting.order) {
    const auto& event = trace.events[id];
    if (event.kind != Kind::cpu_op || !is_operator(event)) continue;
    if (event.track != track) open.clear();
    track = event.track;
    while (!open.empty() && trace.events[open.back()].end() <= event.ts) open.pop_back();
    if (!open.empty()) {
      const auto end = trace.events[open.back()].end();
      if (event.end() > end + slack_ns && end > event.ts + slack_ns) {
        ++found.crossing;
        found.crossing_us += us_of(end - event.ts);
      }
    }
    open.push_back(id);
  }
}

void find_early_kernels(const Trace& trace, Impossible& found) {
  std::vector<double> leads;
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const auto call = trace.nesting.launch[id];
    if (trace.events[id].kind != Kind::kernel || call == no_event) continue;
    if (found.at_time_0 > 0 && at_time_0(trace, trace.events[id])) continue;
    ++found.launched;
    const auto lead = trace.events[call].ts - trace.events[id].ts;
    if (lead > slack_ns) leads.push_back(us_of(lead));
  }
  found.early = static_cast<std::int64_t>(leads.size());
  if (!leads.empty()) found.early_us = median(std::move(leads));
}

}  // namespace

Impossible impossible(const Trace& trace) {
  Impossible found;
  find_time_0(trace, found);
  for (const auto& stray : strays(trace)) {
    found.events.push_back(stray.event);
    ++found.far;
    found.far_us = std::max(found.far_us, us_of(stray.distance));
  }
  const auto look = [&](const Trace& rest) {
    find_fast_copies(rest, found);
    find_overlaps(rest, found);
    find_early_kernels(rest, found);
    find_crossings(rest, found);
  };
  if (found.far > 0)
    look(without(trace, found.events));
  else
    look(trace);
  return found;
}

Trace without(const Trace& trace, const std::vector<EventId>& events) {
  Trace rest = trace;
  for (const auto id : events) rest.events[id].kind = Kind::other;
  return rest;
}

std::string doubt(const Impossible& found, double window_us, std::size_t spans) {
  if (found.overlap_us > overlooked * window_us)
    return fmt::format(
        "kernels of one stream overlap by {}, which cannot be: the durations are not to be trusted",
        us_text(found.overlap_us));
  const double span_us = window_us / static_cast<double>(std::max<std::size_t>(spans, 1));
  if (clocks_differ(found) && found.early_us > overlooked * span_us)
    return fmt::format(
        "{} of {} kernels begin before their launch, {} in the median, which cannot be: the clocks "
        "of host and device differ",
        count_text(found.early), count_text(found.launched), us_text(found.early_us));
  return "";
}

std::string host_doubt(const Impossible& found, double window_us) {
  if (found.crossing_us <= overlooked * window_us) return "";
  return fmt::format(
      "operators of one thread overlap by {} though none lies within the other, which cannot be: the "
      "durations are not to be trusted",
      us_text(found.crossing_us));
}

bool clocks_differ(const Impossible& found) {
  return static_cast<double>(found.early) > overlooked * static_cast<double>(found.launched);
}

bool causes_are_unknown(const Impossible& found) { return 2 * found.early > found.launched; }

std::string impossible_text(const Impossible& found) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  const auto some = [](std::int64_t count, std::string_view one, std::string_view several) {
    return fmt::format("{} {}", count_text(count), count == 1 ? one : several);
  };
  const auto left_out = [](std::int64_t count) { return count == 1 ? "is left out" : "are left out"; };
  if (found.at_time_0 > 0)
    add(fmt::format("{} of the device at time 0 {}", some(found.at_time_0, "event", "events"),
                    left_out(found.at_time_0)));
  if (found.far > 0)
    add(fmt::format("{} up to {} beyond all others {}",
                    some(found.far, "event that lies or lasts", "events that lie or last"),
                    us_text(found.far_us), left_out(found.far)));
  if (found.too_fast > 0)
    add(fmt::format("{} that would move up to {} GB/s, more than the link can, {}",
                    some(found.too_fast, "copy", "copies"), digits_text(found.fastest_gb_s),
                    left_out(found.too_fast)));
  if (found.twice > 0)
    add(fmt::format("kernels and copies that the trace lists twice are counted once ({})",
                    count_text(found.twice)));
  if (found.overlapping > 0)
    add(fmt::format("{} stream, with an overlap of {}",
                    some(found.overlapping, "kernel ends after a later one of its",
                         "kernels end after a later one of their"),
                    us_text(found.overlap_us)));
  if (found.crossing > 0)
    add(fmt::format("{} after it, with an overlap of {}",
                    some(found.crossing, "operator begins within another one of the thread and ends",
                         "operators begin within another one of the thread and end"),
                    us_text(found.crossing_us)));
  if (clocks_differ(found))
    add(fmt::format(
        "{} of {} kernels begin before their launch, {} in the median: the clocks of host and device "
        "differ{}",
        count_text(found.early), count_text(found.launched), us_text(found.early_us),
        causes_are_unknown(found) ? ", so why the device idles cannot be said" : ""));
  return text;
}

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
  if (is_range(event.kind) || is_call(event.kind) || event.kind == Kind::gpu_user_annotation ||
      event.kind == Kind::memory || event.kind == Kind::python_function)
    return true;
  return (on_device(event.kind) || event.kind == Kind::sync) && !at_time_0(trace, event);
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
  Span span;
  std::vector<EventId> events;
};

std::vector<Cluster> clusters(const Trace& trace, std::vector<EventId> events) {
  std::ranges::sort(events, {}, [&](EventId id) { return trace.events[id].ts; });
  std::vector<Cluster> all;
  for (const auto id : events) {
    const auto& event = trace.events[id];
    if (all.empty() || event.ts - all.back().span.end >= nothing_ns) all.push_back({event.span(), {}});
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
         distance / far_factor >= most.span.length();
}

}  // namespace

std::vector<Stray> strays(const Trace& trace) {
  const auto all = span_of(trace, [&](const Event& event) { return takes_time(trace, event); });
  if (all.end < all.begin || all.length() < nothing_ns) return {};
  std::vector<EventId> events;
  for (EventId id = 0; id < trace.events.size(); ++id)
    if (takes_time(trace, trace.events[id])) events.push_back(id);
  const auto middle = middle_ns(trace, events);
  if (events.size() < least_others || all.length() / far_factor < middle) return {};
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
