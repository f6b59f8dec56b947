#include "harness/predict/critical_path.hpp"

#include "harness/trace/device_time.hpp"
#include "harness/trace/window.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

namespace harness::predict {
namespace {

constexpr std::string_view run_range = "ProfilerStep#";

/// The thread of the runs' ranges; without any, the one with the most operators.
std::uint32_t main_track_of(const trace::Trace& trace) {
  std::map<std::uint32_t, int> operators;
  for (const auto& event : trace.events) {
    if (event.kind == trace::Kind::user_annotation && trace.name(event).starts_with(run_range))
      return event.track;
    if (event.kind == trace::Kind::cpu_op) ++operators[event.track];
  }
  const auto most = std::ranges::max_element(operators, {}, [](const auto& entry) { return entry.second; });
  return most == operators.end() ? 0 : most->first;
}

bool inside_operator(const trace::Trace& trace, const trace::Nesting& nesting, trace::EventId id) {
  const auto parent = nesting.parent[id];
  return parent != trace::no_event && trace.events[parent].kind == trace::Kind::cpu_op;
}

/// What other threads do while the main one is in no operator, and may wait for them. Several at once shorten
/// a run once.
double exposed_of_others(const trace::Trace& trace, const trace::Nesting& nesting, std::uint32_t main) {
  std::vector<trace::TimeSpan> busy;
  std::vector<trace::TimeSpan> beside;
  double all = 0;
  for (const trace::EventId id : nesting.order) {
    const auto& event = trace.events[id];
    if (event.kind != trace::Kind::cpu_op || inside_operator(trace, nesting, id)) continue;
    (event.track == main ? busy : beside).push_back({event.ts, event.end()});
    if (event.track != main) all += static_cast<double>(event.dur);
  }
  if (all <= 0) return 0;
  const auto others = trace::merged(std::move(beside));
  const auto covered = trace::length(trace::intersection(others, trace::merged(std::move(busy))));
  return static_cast<double>(trace::length(others) - covered) / all;
}

}  // namespace

Exposure exposure_of(const trace::Trace& trace, const trace::Nesting& nesting) {
  Exposure exposure;
  exposure.main_track = main_track_of(trace);
  exposure.others = exposed_of_others(trace, nesting, exposure.main_track);
  const auto devices = trace::device_time(trace, nesting);
  if (devices.empty()) return exposure;
  const auto& device = *std::ranges::max_element(devices, {}, &trace::DeviceTime::compute_us);
  exposure.device = true;
  exposure.kernel_us = device.compute_us;
  exposure.main = device.span_us > 0 ? device.idle_us / device.span_us : 1;
  exposure.others *= exposure.main;
  if (device.memory_us > 0) exposure.copies = 1 - device.compute_and_memory_us / device.memory_us;
  return exposure;
}

}  // namespace harness::predict
