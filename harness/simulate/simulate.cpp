#include "harness/simulate/simulate.hpp"

#include "harness/core/setup.hpp"
#include "harness/simulate/cost.hpp"

#include <fmt/format.h>

namespace harness::simulate {
namespace {

// What the forms of a row do differently and the model cannot see.

bool gives_the_same(const FormRecord& one, const FormRecord& other) {
  return one.entries == other.entries && one.non_blocking == other.non_blocking;
}

int times_of(const FormRecord& form, const std::string& call) {
  const auto found = form.unpriced.find(call);
  return found == form.unpriced.end() ? 0 : found->second;
}

/// "cudaFree 16 and 0, cudaMalloc 16 and 0": how often the forms call what they call differently often.
std::string differing_calls(const FormRecord& naive, const FormRecord& optimized) {
  std::set<std::string> names;
  for (const auto* form : {&naive, &optimized})
    for (const auto& [name, times] : form->unpriced) names.insert(name);
  std::string out;
  for (const auto& name : names)
    if (times_of(naive, name) != times_of(optimized, name))
      out += fmt::format("{}{} {} and {}", out.empty() ? "" : ", ", name, times_of(naive, name),
                         times_of(optimized, name));
  return out;
}

/// Why a row says nothing here: its forms give the device the same calls, and differ in calls of the host
/// that have no price in the model. Empty where they do not.
std::string unseen_difference(const RowRecord& row) {
  if (row.forms.size() != 2 || !gives_the_same(row.forms[0], row.forms[1])) return {};
  const auto calls = differing_calls(row.forms[0], row.forms[1]);
  if (calls.empty()) return {};
  return "both sides give the device the same work; they differ in calls that have no price in the model (" +
         calls + ")";
}

/// The row's note, and what the model leaves out of its times.
std::string note_of(const RowRecord& row) {
  auto note = row.note;
  if (row.forms.size() != 2) return note;
  const auto add = [&](const std::string& text) { note += (note.empty() ? "" : "; ") + text; };
  const auto calls = differing_calls(row.forms[0], row.forms[1]);
  const bool same = gives_the_same(row.forms[0], row.forms[1]);
  if (same && calls.empty())
    add("both sides make the same calls: if they differ, it is in what the model lacks (the program's own "
        "loops)");
  if (!same && !calls.empty()) add("calls without a price in the model: " + calls);
  return note;
}

const Entry* first_uncounted(const std::vector<Entry>& entries) {
  for (const auto& entry : entries) {
    if (entry.uncounted) return &entry;
    if (const auto* node = first_uncounted(entry.nodes)) return node;
  }
  return nullptr;
}

void simulate_form(const FormRecord& form, const Gpu& gpu, SimulatedRow& row) {
  if (const auto* entry = first_uncounted(form.entries))
    throw BadInput(fmt::format("the work of '{}' is not counted", entry->name));
  auto line = play(schedule_of(form, gpu), rules_of(gpu));
  const auto time = seconds(line.end);
  if (time <= 0) throw BadInput(fmt::format("nothing of the {} side's work is counted", side_of(form.form)));
  row.forms.push_back({form.form, std::move(line), time});
}

void add_intervals(const RowRecord& row, const Gpu& gpu, const ModelErrors& errors, SimulatedRow& simulated) {
  const auto intervals = row_intervals(row, gpu, errors);
  for (std::size_t i = 0; i < simulated.forms.size(); ++i) simulated.forms[i].interval = intervals.forms[i];
  simulated.ratio_interval = intervals.ratio;
}

Json interval_to_json(const Interval& interval) { return {finite(interval.low), finite(interval.high)}; }

Json busy_to_json(const Timeline& line) {
  double kernels = 0;
  double in = 0;
  double out = 0;
  for (const auto& span : line.device)
    (span.engine == Engine::multiprocessors ? kernels
     : span.engine == Engine::to_device     ? in
                                            : out) += seconds(span.end - span.begin);
  return {{"kernels_seconds", kernels}, {"to_device_seconds", in}, {"to_host_seconds", out}};
}

Json form_to_json(const SimulatedForm& form) {
  return {{"form", form.form},
          {"simulated_seconds", form.seconds},
          {"interval", interval_to_json(form.interval)},
          {"host_seconds", seconds(form.line.host_end)},
          {"busy", busy_to_json(form.line)},
          {"commands", form.line.device.size()}};
}

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

/// Adds the operator that makes the call, and the call within it. What the program does outside of operators
/// gets a category of its own, since a profiler does not see it.
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

double SimulatedRow::ratio() const { return forms.back().seconds / forms.front().seconds; }

SimulatedRow simulate_row(const RowRecord& row, const Gpu& gpu, const ModelErrors& errors) {
  SimulatedRow simulated{row.row, gpu.title, {}, row.reason, note_of(row)};
  if (simulated.reason.empty()) simulated.reason = unseen_difference(row);
  if (!simulated.reason.empty()) return simulated;
  try {
    for (const auto& form : row.forms) simulate_form(form, gpu, simulated);
    if (!errors.kinds.empty()) add_intervals(row, gpu, errors, simulated);
  } catch (const BadInput& error) {
    simulated.reason = error.what();
  } catch (const std::invalid_argument& error) {
    simulated.reason = error.what();
  }
  return simulated;
}

std::vector<SimulatedRow> simulate_rows(const Recording& recording, const std::vector<Gpu>& gpus) {
  const auto errors = known_errors();
  std::vector<SimulatedRow> rows;
  for (const auto& row : recording.rows)
    for (const auto& gpu : gpus) rows.push_back(simulate_row(row, gpu, errors));
  return rows;
}

Json simulation_to_json(const std::vector<SimulatedRow>& rows, const std::vector<Gpu>& gpus,
                        const std::string& note) {
  Json json;
  json["tuneproof"] = {{"schema", "tuneproof.simulation"}, {"schema_version", {{"major", 1}, {"minor", 0}}}};
  json["warning"] = simulated_warning;
  json["recording"] = note;
  json["gpus"] = Json::array();
  for (const auto& gpu : gpus)
    json["gpus"].push_back({{"name", gpu.name}, {"title", gpu.title}, {"values", gpu.values}});
  json["simulated"] = Json::array();
  for (const auto& row : rows) {
    Json forms = Json::array();
    for (const auto& form : row.forms) forms.push_back(form_to_json(form));
    const bool can = row.reason.empty();
    json["simulated"].push_back(
        {{"row", row.row},
         {"simulated_on", row.gpu},
         {"forms", can ? forms : Json::array()},
         {"simulated_ratio", can ? finite(row.ratio()) : Json(nullptr)},
         {"ratio_interval", can ? interval_to_json(row.ratio_interval) : Json(nullptr)},
         {"cannot", row.reason}});
    if (!row.note.empty()) json["simulated"].back()["note"] = row.note;
  }
  return json;
}

Json trace_of(const SimulatedForm& form, const SimulatedRow& row) {
  Json json;
  json["traceName"] =
      fmt::format("{}, {} side, on {}. {}", row.row, side_of(form.form), row.gpu, simulated_warning);
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
