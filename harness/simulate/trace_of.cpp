#include "harness/simulate/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace harness::simulate {
namespace {

constexpr int host_process = 1;
constexpr double nanoseconds_in_us = 1000;

Json span_json(std::string_view category, std::string_view name, Nanoseconds begin, Nanoseconds end) {
  return {{"ph", "X"},
          {"cat", category},
          {"name", name},
          {"ts", static_cast<double>(begin) / nanoseconds_in_us},
          {"dur", static_cast<double>(end - begin) / nanoseconds_in_us}};
}

Json host_json(std::string_view category, std::string_view name, Nanoseconds begin, Nanoseconds end) {
  auto json = span_json(category, name, begin, end);
  json["pid"] = json["tid"] = host_process;
  return json;
}

std::string_view category_of(const DeviceSpan& span) {
  if (span.name.starts_with("Memcpy")) return "gpu_memcpy";
  return span.name.starts_with("Memset") ? "gpu_memset" : "kernel";
}

Json device_json(const DeviceSpan& span) {
  auto json = span_json(category_of(span), span.name, span.begin, span.end);
  json["pid"] = 0;
  json["tid"] = span.stream;
  json["args"] = {{"device", 0}, {"stream", span.stream}, {"correlation", span.call}};
  if (span.bytes > 0) json["args"]["bytes"] = static_cast<std::int64_t>(span.bytes);
  return json;
}

/// An operator holds the call that it makes. Work of the program that is no operator has a category of its
/// own: a profiler does not see it.
void add_call(const HostSpan& call, Json& events) {
  if (call.is_operator) events.push_back(host_json("cpu_op", call.name, call.begin, call.end));
  if (call.api.empty()) {
    if (!call.is_operator) events.push_back(host_json("host", call.name, call.begin, call.end));
    return;
  }
  const auto begin = std::min(call.begin + call.dispatch, call.end);
  events.push_back(host_json("cuda_runtime", call.api, begin, call.end));
  events.back()["args"] = {{"correlation", call.call}};
}

/// What a viewer writes above the process's time line.
Json named_process(int process, std::string_view name) {
  return {{"ph", "M"}, {"name", "process_name"}, {"pid", process}, {"tid", 0}, {"args", {{"name", name}}}};
}

/// A call's work and its wait are one.
void add_calls(const std::vector<HostSpan>& spans, Json& events) {
  for (std::size_t i = 0; i < spans.size();) {
    auto call = spans[i];
    for (++i; i < spans.size() && spans[i].call == call.call; ++i) call.end = spans[i].end;
    add_call(call, events);
  }
}

}  // namespace

Json trace_of(const SimulatedForm& form, const SimulatedRow& row) {
  Json json;
  json["traceName"] = fmt::format("{}, {} form, on {}. {}", row.row, form.form, row.gpu, simulated_warning);
  json["simulated"] = true;
  json["deviceProperties"] = Json::array({{{"id", 0}, {"name", "simulated " + row.gpu}}});
  json["traceEvents"] = Json::array();
  auto& events = json["traceEvents"];
  for (const int process : {0, host_process})
    events.push_back(named_process(process, fmt::format("{} of a simulated {}, not measured",
                                                        process == 0 ? "device" : "host", row.gpu)));
  events.push_back(host_json("user_annotation", "ProfilerStep#0", 0, form.line.end));
  add_calls(form.line.host, events);
  for (const auto& span : form.line.device) events.push_back(device_json(span));
  return json;
}

}  // namespace harness::simulate
