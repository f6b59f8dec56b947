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

/// Gloo's part of an exchange, from its begin to its end; on whichever thread it was noted.
bool is_exchange(const trace::Trace& trace, const trace::Event& event) {
  return trace.name(event).starts_with("gloo:");
}

/// The share of these times that lies outside of the operators of the main thread, which may wait for them
/// then. Several at once shorten a run once. `nothing` where there are none.
double exposed_beside(std::vector<trace::TimeSpan> beside, const trace::Intervals& busy, double nothing) {
  double all = 0;
  for (const auto& span : beside) all += static_cast<double>(span.end - span.begin);
  if (all <= 0) return nothing;
  const auto others = trace::merged(std::move(beside));
  const auto covered = trace::length(trace::intersection(others, busy));
  return static_cast<double>(trace::length(others) - covered) / all;
}

/// What runs beside the main thread's operators.
void expose_host(const trace::Trace& trace, const trace::Nesting& nesting, Exposure& exposure) {
  std::vector<trace::TimeSpan> busy;
  std::vector<trace::TimeSpan> others;
  std::vector<trace::TimeSpan> exchanges;
  for (const trace::EventId id : nesting.order) {
    const auto& event = trace.events[id];
    const trace::TimeSpan span{event.ts, event.end()};
    if (is_exchange(trace, event))
      exchanges.push_back(span);
    else if (event.kind == trace::Kind::cpu_op && !inside_operator(trace, nesting, id))
      (event.track == exposure.main_track ? busy : others).push_back(span);
  }
  const auto operators = trace::merged(std::move(busy));
  exposure.others = exposed_beside(std::move(others), operators, 0);
  exposure.exchanges = exposed_beside(std::move(exchanges), operators, 1);
}

}  // namespace

Exposure exposure_of(const trace::Trace& trace, const trace::Nesting& nesting) {
  Exposure exposure;
  exposure.main_track = main_track_of(trace);
  expose_host(trace, nesting, exposure);
  const auto devices = trace::device_time(trace, nesting);
  if (devices.empty()) return exposure;
  const auto& device = *std::ranges::max_element(devices, {}, &trace::DeviceTime::compute_us);
  exposure.device = true;
  exposure.kernel_us = device.compute_us;
  exposure.main = device.span_us > 0 ? device.idle_us / device.span_us : 1;
  exposure.others *= exposure.main;
  if (device.communication_us > 0)
    exposure.exchanges = 1 - device.compute_and_communication_us / device.communication_us;
  if (device.memory_us > 0) exposure.copies = 1 - device.compute_and_memory_us / device.memory_us;
  return exposure;
}

}  // namespace harness::predict
