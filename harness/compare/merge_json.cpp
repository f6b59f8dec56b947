#include "harness/compare/merge_text.hpp"

#include <nlohmann/json.hpp>

namespace harness::compare {
namespace {

Json interval_json(const std::optional<Interval>& interval) {
  return interval ? Json::array({finite(interval->low), finite(interval->high)}) : Json(nullptr);
}

Json standing_json(const std::optional<Standing>& standing) {
  if (!standing) return nullptr;
  return {{"ratio", finite(standing->against.ratio)},
          {"ratio_ci", interval_json(standing->against.ratio_interval)},
          {"p_above", finite(standing->p_above)},
          {"p_below", finite(standing->p_below)},
          {"outlier", standing->above   ? Json("above")
                      : standing->below ? Json("below")
                                        : Json(nullptr)}};
}

Json time_json(double seconds) { return seconds > 0 ? finite(seconds * 1e9) : Json(nullptr); }

Json node_row_json(const Fleet& fleet, const NodeStandings& row) {
  return {{"node", fleet.nodes[row.node].name},
          {"ratio", finite(row.ratio)},
          {"ratio_ci", interval_json(row.ratio_interval)},
          {"naive_ns", time_json(row.naive_seconds)},
          {"optimized_ns", time_json(row.optimized_seconds)},
          {"against_others",
           {{"naive", standing_json(row.naive)},
            {"optimized", standing_json(row.optimized)},
            {"ratio", standing_json(row.speed)}}},
          {"note", row.note.empty() ? Json(nullptr) : Json(row.note)}};
}

Json row_json(const Fleet& fleet, const FleetRow& row) {
  Json json = {{"id", row.name}, {"step", row.step}, {"delta", finite(row.delta)}, {"nodes", Json::array()}};
  for (const auto& node : row.nodes) json["nodes"].push_back(node_row_json(fleet, node));
  return json;
}

Json node_json(const FleetNode& node) {
  return {{"name", node.name},       {"file", node.file},     {"session", node.session},
          {"started", node.started}, {"times", node.times},   {"slower", node.slower},
          {"faster", node.faster},   {"ratios", node.ratios}, {"apart", node.apart()}};
}

}  // namespace

Json fleet_json(const Fleet& fleet) {
  Json json = {{"schema", "tuneproof.merge"}, {"schema_version", {{"major", 1}, {"minor", 0}}},
               {"machine", fleet.machine},    {"commit", fleet.commit},
               {"nodes", Json::array()},      {"rows", Json::array()},
               {"left_out", Json::array()},   {"warnings", fleet.warnings}};
  for (const auto& node : fleet.nodes) json["nodes"].push_back(node_json(node));
  for (const auto& row : fleet.rows) json["rows"].push_back(row_json(fleet, row));
  for (const auto& [file, reason] : fleet.left_out)
    json["left_out"].push_back({{"file", file}, {"reason", reason}});
  return json;
}

}  // namespace harness::compare
