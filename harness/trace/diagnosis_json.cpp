// The diagnosis as data; docs/diagnose.md documents every field.
#include "harness/support/shown.hpp"
#include "harness/trace/diagnosis_parts.hpp"
#include "harness/trace/diagnosis_text.hpp"

#include <nlohmann/json.hpp>

namespace harness::trace {
namespace {

using Json = nlohmann::ordered_json;

constexpr int schema = 1;

Json verdict_json(std::span<const Diagnosis> diagnoses) {
  Shares sum;
  std::int64_t steps = 0;
  for (const auto& diagnosis : diagnoses) {
    sum += diagnosis.shares;
    steps += diagnosis.judged_steps;
  }
  const auto verdict = common_verdict(diagnoses);
  return {{"regime", to_string(verdict.regime)},
          {"evidence", verdict.evidence},
          {"would_change", text_or_null(verdict.would_change)},
          {"share", verdict.share},
          {"shares", shares_json(sum)},
          {"judged_steps", steps},
          {"window_us", sum.window_us}};
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
          {"remarks", diagnosis.remarks}};
}

Json changes_list(const std::vector<TraceChange>& changes) {
  auto list = Json::array();
  for (const auto& change : changes)
    list.push_back({{"name", change.name}, {"before", change.before}, {"after", change.after}});
  return list;
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

Json changes_json(const TraceChanges& changes) {
  return {
      {"per_step", changes.per_step},
      {"remark", text_or_null(changes.differ)},
      {"verdict", {{"before", to_string(changes.before.regime)}, {"after", to_string(changes.after.regime)}}},
      {"step_us", {{"before", changes.step_before_us}, {"after", changes.step_after_us}}},
      {"device_time_us", changes_list(changes.uses)},
      {"counts", changes_list(changes.counts)},
      {"self_cpu_us", changes_list(changes.ops)},
      {"kernels_us", changes_list(changes.kernels)},
      {"findings_gone", changes.findings_gone},
      {"findings_new", changes.findings_new}};
}

}  // namespace harness::trace
