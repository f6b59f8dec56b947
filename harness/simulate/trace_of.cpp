#include "harness/simulate/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
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

/// One end of the arrow from a call to what it has the device do: `ph` is s or f.
Json arrow_end(const char* ph, int call, Nanoseconds time, int process, int thread) {
  return {{"ph", ph},       {"cat", "ac2g"}, {"name", "ac2g"},
          {"id", call},     {"bp", "e"},     {"ts", static_cast<double>(time) / nanoseconds_in_us},
          {"pid", process}, {"tid", thread}};
}

void add_device_span(const DeviceSpan& span, Json& events) {
  events.push_back(device_json(span));
  events.push_back(arrow_end("f", span.call, span.begin, 0, span.stream));
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
  events.push_back(arrow_end("s", call.call, begin, host_process, host_process));
}

/// What a viewer writes above a time line: `what` is process_name or thread_name.
Json named(const char* what, int process, int thread, std::string_view name) {
  return {{"ph", "M"}, {"name", what}, {"pid", process}, {"tid", thread}, {"args", {{"name", name}}}};
}

void name_streams(const std::vector<DeviceSpan>& spans, Json& events) {
  std::set<int> streams;
  for (const auto& span : spans) streams.insert(span.stream);
  for (const auto stream : streams)
    events.push_back(named("thread_name", 0, stream, fmt::format("stream {}", stream)));
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
    events.push_back(
        named("process_name", process, 0,
              fmt::format("{} of a simulated {}, not measured", process == 0 ? "device" : "host", row.gpu)));
  name_streams(form.line.device, events);
  events.push_back(host_json("user_annotation", "ProfilerStep#0", 0, form.line.end));
  add_calls(form.line.host, events);
  for (const auto& span : form.line.device) add_device_span(span, events);
  return json;
}

}  // namespace harness::simulate
