// Small results files in memory, for the tests of what reads them.
#pragma once

#include "harness/compare/run_file.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace harness::example {

/// What one row of such a file says; each form's time scatters by +-0.1 % over 14 units.
struct RowText {
  std::string id = "sync/a/device:cpu";
  double naive_ns = 1e6;
  double optimized_ns = 5e5;
  double operators = 100;  // a count of the optimized form
  int units = 14;
};

inline Json samples(const RowText& row) {
  Json json;
  for (const auto* column :
       {"round", "pair", "quad", "slot", "variant", "bufset", "t_ns", "cpu_ns", "start_ns"})
    json[column] = Json::array();
  for (int unit = 0; unit < row.units; ++unit)
    for (int form = 0; form < 2; ++form) {
      for (const auto* column : {"pair", "quad", "slot", "bufset", "start_ns"}) json[column].push_back(0);
      json["round"].push_back(unit);
      json["variant"].push_back(form);
      json["t_ns"].push_back((form == 0 ? row.naive_ns : row.optimized_ns) * (1 + 0.001 * (unit % 3 - 1)));
      json["cpu_ns"].push_back(nullptr);
    }
  return json;
}

inline Json pair(const RowText& row) {
  return {{"id", row.id},
          {"step", row.id.substr(0, row.id.rfind('/'))},
          {"at", Json::array()},
          {"device", "cpu"},
          {"expected", "helps"},
          {"published", "no figure"},
          {"delta", 0.03},
          {"metric", "wall_time"},
          {"timer", "steady_clock"},
          {"iterations", 1},
          {"bytes_moved", 0},
          {"row_seconds", 1.0},
          {"result",
           {{"verdict", "helps"},
            {"flags", Json::array()},
            {"ratio", row.optimized_ns / row.naive_ns},
            {"ratio_ci", nullptr},
            {"alpha_look", 0.01},
            {"alpha_actual", 0.01},
            {"rounds", row.units},
            {"rounds_discarded", 0},
            {"hodges_lehmann", row.optimized_ns / row.naive_ns},
            {"sd_round", 0.001},
            {"mde95", 0.04},
            {"naive_ns", row.naive_ns},
            {"optimized_ns", row.optimized_ns}}},
          {"figures",
           {{{"name", "operators"}, {"unit", "calls"}, {"naive", 100.0}, {"optimized", row.operators}},
            {{"name", "quality"}, {"unit", "share"}, {"naive", 0.5}, {"optimized", 0.6}}}},
          {"round_log_ratios", std::vector<double>(static_cast<std::size_t>(row.units),
                                                   std::log(row.optimized_ns / row.naive_ns))},
          {"samples", samples(row)}};
}

inline Json results(const std::vector<RowText>& rows) {
  Json json;
  auto& block = json["tuneproof"];
  block["schema"] = "tuneproof.results";
  block["schema_version"] = {{"major", 1}, {"minor", 0}};
  block["session"] = {{"id", "s"},
                      {"seed", "0x1"},
                      {"started", "2026-01-02T03:04:05+00:00"},
                      {"git", {{"head", "abc"}}},
                      {"alpha", 0.01},
                      {"mode", "variants"},
                      {"suite", "quick"},
                      {"device", "cpu"},
                      {"looks", {14}},
                      {"k_pairs", 1},
                      {"units", "in-process"},
                      {"threads", 2},
                      {"options", {{"scale", "1"}}}};
  block["fingerprint"] = {
      {"id", nullptr},
      {"hard",
       {{"machine", {{"cpu_model", "A CPU"}, {"logical_cpus", 2}, {"memory_gib", 4}, {"gpu", nullptr}}},
        {"software", {{"libtorch", "2.11.0"}, {"driver", "580"}, {"cuda_runtime", "13.0"}}}}},
      {"soft", {{"kernel", "6.1"}}},
      {"info", {{"gpu_uuid", nullptr}}}};
  block["pairs"] = Json::array();
  for (const auto& row : rows) block["pairs"].push_back(pair(row));
  block["errors"] = Json::array();
  return json;
}

/// A row that was not measured.
inline Json error(const std::string& id, const std::string& verdict, const std::string& message) {
  return {{"id", id},           {"step", id},          {"at", Json::array()},
          {"device", "cuda:0"}, {"expected", "helps"}, {"published", "no figure"},
          {"delta", 0.03},      {"verdict", verdict},  {"stage", "select"},
          {"message", message}, {"row_seconds", 0.0}};
}

inline results::Results run(const Json& json, const std::string& name = "r.json") {
  return compare::read_run(parse_json(json.dump(), name), name);
}

}  // namespace harness::example
