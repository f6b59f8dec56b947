#include "harness/simulate/simulate.hpp"
#include "harness/simulate/units.hpp"

#include <fmt/format.h>

#include <map>
#include <string>

namespace harness::simulate {
namespace {

constexpr int host_process = 1;
constexpr double nanoseconds_in_us = 1000;

Json span_json(const std::string& category, const std::string& name, Nanoseconds begin, Nanoseconds end) {
  return {{"ph", "X"},
          {"cat", category},
          {"name", name},
          {"ts", static_cast<double>(begin) / nanoseconds_in_us},
          {"dur", static_cast<double>(end - begin) / nanoseconds_in_us}};
}

/// Kernels go by their names, copies by those that the profiler gives them.
Json device_span(const DeviceSpan& span, int correlation) {
  const bool kernel = span.engine == Engine::multiprocessors;
  const std::string copy = span.engine == Engine::to_device ? "Memcpy HtoD" : "Memcpy DtoH";
  auto json = span_json(kernel ? "kernel" : "gpu_memcpy", kernel ? span.name : copy, span.begin, span.end);
  json["pid"] = 0;
  json["tid"] = span.stream;
  json["args"] = {{"device", 0}, {"stream", span.stream}, {"correlation", correlation}};
  return json;
}

Json host_span(const HostSpan& span, int correlation) {
  const auto name = span.waits ? "cudaStreamSynchronize" : "cudaLaunchKernel";
  auto json = span_json("cuda_runtime", name, span.begin, span.end);
  json["pid"] = host_process;
  json["tid"] = host_process;
  json["args"] = {{"correlation", correlation}, {"call", span.name}};
  return json;
}

}  // namespace

Json trace_of(const SimulatedForm& form, const SimulatedRow& row) {
  Json json;
  json["traceName"] = fmt::format("{}, {} form, on {}. {}", row.row, form.form, row.gpu, simulated_warning);
  json["simulated"] = true;
  json["deviceProperties"] = Json::array({{{"id", 0}, {"name", "simulated " + row.gpu}}});
  json["traceEvents"] = Json::array();
  auto& events = json["traceEvents"];
  std::map<Nanoseconds, int> calls;  // by when they returned
  int correlation = 0;
  for (const auto& span : form.line.host) {
    if (!span.waits) calls[span.end] = ++correlation;
    events.push_back(host_span(span, span.waits ? 0 : correlation));
  }
  for (const auto& span : form.line.device) events.push_back(device_span(span, calls[span.called]));
  auto step = span_json("user_annotation", "ProfilerStep#0", 0, form.line.end);
  step["pid"] = step["tid"] = host_process;
  events.push_back(step);
  return json;
}

}  // namespace harness::simulate
