// The diagnosis as data; docs/diagnose.md documents every field.
#include "harness/support/text.hpp"
#include "harness/trace/diagnosis.hpp"
#include "harness/trace/diagnosis_text.hpp"
#include "harness/trace/judged_spans.hpp"

#include <tuple>

namespace harness::trace {
namespace {

using Json = nlohmann::ordered_json;

/// Absent ids and empty texts are null.
Json id_or_null(std::int64_t id) { return id == absent ? Json(nullptr) : Json(id); }

template <class Row, class Write>
Json list_of(const std::vector<Row>& rows, const Write& write) {
  auto list = Json::array();
  for (const auto& row : rows) list.push_back(write(row));
  return list;
}

Json text_or_null(std::string_view text) { return text.empty() ? Json(nullptr) : Json(text); }

Json stream_json(const StreamTime& stream) {
  return {{"stream", stream.stream},
          {"events", stream.events},
          {"busy_us", stream.busy_us},
          {"idle",
           {{"host_wait_us", stream.idle.host_wait_us},
            {"kernel_wait_us", stream.idle.kernel_wait_us},
            {"other_us", stream.idle.other_us}}}};
}

Json copy_json(const CopyTime& copy) {
  return {{"direction", to_string(copy.direction)},
          {"host_memory", to_string(copy.host_memory)},
          {"count", copy.count},
          {"bytes", id_or_null(copy.bytes)},
          {"us", copy.us},
          {"waiting_us", copy.waiting_us}};
}

void add(OpRow& sum, const OpRow& row) {
  sum.calls += row.calls;
  sum.self_cpu_us += row.self_cpu_us;
  sum.cpu_total_us += row.cpu_total_us;
  sum.self_device_us += row.self_device_us;
  sum.device_total_us += row.device_total_us;
  sum.self_memory += row.self_memory;
  sum.memory += row.memory;
}

Json op_json(const OpRow& row, bool memory) {
  Json json{{"name", row.name},
            {"calls", row.calls},
            {"self_cpu_us", row.self_cpu_us},
            {"cpu_total_us", row.cpu_total_us},
            {"self_device_us", row.self_device_us},
            {"device_total_us", row.device_total_us},
            {"device_row", row.device_row},
            {"range", row.range},
            {"where", text_or_null(row.where)}};
  if (!row.shapes.empty()) json["input_shapes"] = row.shapes;
  if (!memory) return json;
  json["self_cpu_memory_bytes"] = row.self_memory.host;
  json["cpu_memory_bytes"] = row.memory.host;
  json["self_device_memory_bytes"] = row.self_memory.device;
  json["device_memory_bytes"] = row.memory.device;
  return json;
}

/// One table for all ranks: rows of the same name and sort are added up.
Json op_table_json(std::span<const Diagnosis> diagnoses) {
  using Key = std::tuple<std::string, bool, bool, std::string>;
  std::map<Key, std::size_t> places;
  std::vector<OpRow> sums;
  bool memory = false;
  for (const auto& diagnosis : diagnoses) {
    memory = memory || diagnosis.ops.memory_recorded;
    for (const auto& row : diagnosis.ops.rows) {
      const auto [place, fresh] =
          places.try_emplace({row.name, row.device_row, row.range, row.shapes}, sums.size());
      if (fresh)
        sums.push_back(row);
      else
        add(sums[place->second], row);
    }
  }
  return list_of(sums, [&](const OpRow& row) { return op_json(row, memory); });
}

Json device_json(const DeviceTime& device, std::int64_t rank) {
  return {{"rank", rank == absent ? device.rank : rank},
          {"device", device.device},
          {"span_us", device.span_us},
          {"idle_us", device.idle_us},
          {"compute_us", device.compute_us},
          {"communication_us", device.communication_us},
          {"memory_us", device.memory_us},
          {"non_compute_us", device.non_compute_us},
          {"compute_and_communication_us", device.compute_and_communication_us},
          {"compute_and_memory_us", device.compute_and_memory_us},
          {"memset_us", device.memset_us},
          {"kernels", device.kernels},
          {"kernel_resident_us", device.kernel_resident_us},
          {"sm_share", device.sm_share < 0 ? Json(nullptr) : Json(device.sm_share)},
          {"streams", list_of(device.streams, stream_json)},
          {"copies", list_of(device.copies, copy_json)}};
}

Json queue_json(const Queue& queue, std::int64_t rank) {
  return {{"rank", id_or_null(rank)},  {"device", queue.device}, {"stream", queue.stream},
          {"mean", queue.mean},        {"max", queue.max},       {"time_mean", queue.time_mean},
          {"empty_us", queue.empty_us}};
}

Json wait_json(const Wait& wait, std::int64_t rank) {
  return {{"rank", id_or_null(rank)},
          {"call", wait.call},
          {"op", text_or_null(wait.op)},
          {"where", text_or_null(wait.where)},
          {"count", wait.count},
          {"us", wait.us},
          {"copy", wait.copy}};
}

Json shares_json(const Shares& shares) {
  const auto balance = balance_of(shares);
  return {
      {"input", balance.input},   {"overhead", balance.overhead}, {"communication", balance.communication},
      {"memory", balance.memory}, {"compute", balance.compute},   {"unknown", balance.unknown},
      {"idle", balance.idle}};
}

Json step_diagnosis_json(const StepDiagnosis& step, std::int64_t rank) {
  return {{"name", step.name},
          {"us", step.us},
          {"regime", to_string(step.judgement.regime)},
          {"evidence", step.judgement.evidence},
          {"shares", shares_json(step.shares)},
          {"judged", step.judged},
          {"verdict_without", step.without ? Json(to_string(*step.without)) : Json(nullptr)},
          {"rank", id_or_null(rank)}};
}

Json finding_json(const Finding& finding, std::int64_t rank) {
  return {{"id", finding.id},           {"severity", to_string(finding.severity)},
          {"message", finding.message}, {"saves_us", finding.saves_us},
          {"steps", finding.steps},     {"rank", id_or_null(rank)}};
}

Json phase_json(const Phase& phase, std::int64_t rank) {
  return {{"rank", id_or_null(rank)},
          {"name", phase.name},
          {"count", phase.count},
          {"host_us", phase.host_us},
          {"device_us", phase.device_us}};
}

Json duration_json(const DurationClass& same) {
  return {{"below_us", same.below_us > 0 ? Json(same.below_us) : Json(nullptr)},
          {"count", same.count},
          {"us", same.us}};
}

Json kernel_json(const KernelRow& row) {
  return {{"name", row.name}, {"kind", to_string(row.kind)}, {"count", row.count}, {"us", row.us}};
}

Json intensity_json(const EffortRow& row) {
  return {{"op", row.op},
          {"calls", row.calls},
          {"flop", row.need.flop},
          {"bytes", row.need.bytes},
          {"flop_per_byte", row.need.intensity()},
          {"device_us", row.device_us},
          {"arithmetic", to_string(row.arithmetic)}};
}

Json kernels_json(const Diagnosis& diagnosis) {
  const auto& kernels = diagnosis.kernels;
  return {{"rank", id_or_null(diagnosis.rank)},
          {"count", kernels.count},
          {"us", kernels.us},
          {"median_us", kernels.median_us},
          {"tiny_share", kernels.tiny_share},
          {"per_ms", kernels.per_ms},
          {"product_share", kernels.product_share()},
          {"durations", list_of(kernels.durations, duration_json)},
          {"top", list_of(kernels.rows, kernel_json)},
          {"intensity", list_of(diagnosis.efforts, intensity_json)}};
}

constexpr int schema = 1;

Json verdict_json(std::span<const Diagnosis> diagnoses) {
  const auto [shares, steps] = judged_time(diagnoses);
  const auto verdict = common_verdict(diagnoses);
  return {{"regime", to_string(verdict.regime)},
          {"evidence", verdict.evidence},
          {"would_change", text_or_null(verdict.would_change)},
          {"share", verdict.share},
          {"shares", shares_json(shares)},
          {"judged_steps", steps},
          {"window_us", shares.window_us}};
}

Json source_json(const Diagnosis& diagnosis) {
  return {{"file", printable(diagnosis.file)},
          {"rank", id_or_null(diagnosis.rank)},
          {"events", diagnosis.events},
          {"device", text_or_null(diagnosis.properties.name)},
          {"peaks", diagnosis.model == nullptr ? Json(nullptr) : Json(diagnosis.model->name)},
          {"peaks_source", diagnosis.model == nullptr ? Json(nullptr) : Json(diagnosis.model->source)},
          {"shapes", diagnosis.shapes_recorded},
          {"simulated", diagnosis.simulated},
          {"outside_steps", text_or_null(outside_text(diagnosis))},
          {"remarks", diagnosis.remarks}};
}

Json changes_list(const std::vector<TraceChange>& changes) {
  return list_of(changes, [](const TraceChange& change) -> Json {
    return {{"name", change.name}, {"before", change.before}, {"after", change.after}};
  });
}

}  // namespace

Json diagnosis_json(std::span<const Diagnosis> diagnoses) {
  Json json{{"schema", schema}, {"traces", Json::array()}, {"verdict", verdict_json(diagnoses)}};
  for (const char* list : {"findings", "steps", "device"}) json[list] = Json::array();
  std::int64_t launches = 0;
  json["launches"] = 0;
  for (const char* list : {"queue", "waits", "phases", "kernels"}) json[list] = Json::array();
  for (const auto& diagnosis : diagnoses) {
    const auto rank = diagnosis.rank;
    json["traces"].push_back(source_json(diagnosis));
    for (const auto& finding : diagnosis.findings) json["findings"].push_back(finding_json(finding, rank));
    for (const auto& step : diagnosis.steps) json["steps"].push_back(step_diagnosis_json(step, rank));
    for (const auto& device : diagnosis.device) json["device"].push_back(device_json(device, rank));
    for (const auto& queue : diagnosis.host.queues) json["queue"].push_back(queue_json(queue, rank));
    for (const auto& wait : diagnosis.host.waits) json["waits"].push_back(wait_json(wait, rank));
    for (const auto& phase : diagnosis.host.phases) json["phases"].push_back(phase_json(phase, rank));
    json["kernels"].push_back(kernels_json(diagnosis));
    launches += diagnosis.host.launches.count;
  }
  json["launches"] = launches;
  if (diagnoses.size() > 1) {
    const auto ranks = rank_summary(diagnoses);
    for (const auto& finding : rank_findings(ranks))
      json["findings"].push_back(finding_json(finding, absent));
    json["ranks"] = Json::array();
    for (const auto& rank : ranks.ranks)
      json["ranks"].push_back({{"rank", id_or_null(rank.rank)},
                               {"file", printable(rank.file)},
                               {"step_us", rank.step_us},
                               {"working_us", rank.working_us},
                               {"communicating_us", rank.communicating_us},
                               {"waiting_us", rank.waiting_us},
                               {"straggler", rank.straggler}});
    json["imbalance"] = ranks.imbalance;
  }
  json["op_table"] = op_table_json(diagnoses);
  return json;
}

Json changes_json(const TraceChanges& changes, const Diagnosis& after, const Diagnosis& before) {
  return {
      {"per_step", changes.per_step},
      {"remark", text_or_null(changes.differ)},
      {"remarks", {{"before", before.remarks}, {"after", after.remarks}}},
      {"verdict", {{"before", to_string(before.verdict.regime)}, {"after", to_string(after.verdict.regime)}}},
      {"step_us", {{"before", step_us(before)}, {"after", step_us(after)}}},
      {"device_time_us", changes_list(changes.uses)},
      {"counts", changes_list(changes.counts)},
      {"self_cpu_us", changes_list(changes.ops)},
      {"kernels_us", changes_list(changes.kernels)},
      {"findings_gone", changes.findings_gone},
      {"findings_new", changes.findings_new}};
}

}  // namespace harness::trace
