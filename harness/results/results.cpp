#include "harness/results/results.hpp"

#include "harness/results/row_json.hpp"
#include "harness/results/session_json.hpp"
#include "harness/results/turned_rows.hpp"
#include "harness/support/read_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace harness::results {
namespace {

Json error_to_json(const Row& row) {
  auto json = place_to_json(row);
  json["verdict"] = to_string(row.judged.verdict);
  json["stage"] = row.stage;
  json["message"] = row.reason;
  json["row_seconds"] = finite(row.row_seconds);
  return json;
}

Row error_from_json(const Field& json) {
  auto row = place_from_json(json);
  const auto verdict = json["verdict"].text();
  if (verdict != "skipped" && verdict != "failed")
    json["verdict"].reject("'" + verdict + "' is neither skipped nor failed");
  row.judged.verdict = verdict_from(verdict);
  row.stage = json["stage"].text();
  row.reason = json["message"].text();
  row.row_seconds = json["row_seconds"].number();
  if (!json.has("sides")) turn_old_row(row);
  return row;
}

void check_schema(const Field& block) {
  if (const auto schema = block["schema"].text();
      schema == "tuneproof.simulation" || schema == "tuneproof.recording")
    block["schema"].reject("a file of `tuneproof simulate`: a prediction, not a measurement");
  if (block["schema"].text() != "tuneproof.results") block["schema"].reject("expected 'tuneproof.results'");
  const auto major = block["schema_version"]["major"];
  if (major.integer() > results_major)
    major.reject("a newer tuneproof wrote this file (" + std::to_string(major.integer()) +
                 "; this one reads up to " + std::to_string(results_major) + ")");
  block["schema_version"]["minor"].integer(0, 1'000'000);
}

/// No row has more units than slots.
void check_units(const Row& row, const Field& pair) {
  const auto& samples = row.measured.samples;
  for (const auto& sample : samples)
    if (static_cast<std::size_t>(sample.round) >= samples.size())
      pair["samples"]["round"].reject(fmt::format("{} is not a round of this row", sample.round));
}

/// Rounds are counted from 0 and none is left out; no row has more units than there were rounds.
void check_rounds(const Results& results, const Field& block) {
  for (std::size_t i = 0; i < results.rounds.size(); ++i)
    if (results.rounds[i].round != static_cast<int>(i))
      block["rounds"].reject("expected rounds in order from 0");
  for (const auto& row : results.rows)
    if (row.measured.log_ratios.size() > results.rounds.size())
      block["pairs"].reject("'" + row.name + "' has more units than rounds");
}

void refuse_doubles(const Results& results) {
  std::set<std::string_view> seen;
  for (const auto& row : results.rows)
    if (!seen.insert(row.name).second)
      throw BadInput(fmt::format("{}: duplicate row '{}'", results.file, row.name));
}

/// Each planned row must be there once, and no other.
void put_in_order(std::vector<Row>& rows, const Field& names) {
  std::map<std::string, std::size_t, std::less<>> place;
  for (const auto& name : names.texts())
    if (!place.emplace(name, place.size()).second) names.reject("duplicate row '" + name + "'");
  for (const auto& row : rows) {
    const auto found = place.find(row.name);
    if (found == place.end()) names.reject("'" + row.name + "' is missing");
  }
  if (rows.size() != place.size()) names.reject("a row has no result");
  std::ranges::sort(rows, {}, [&](const Row& row) { return place.find(row.name)->second; });
}

}  // namespace

std::map<std::string_view, const Row*> Results::by_name() const {
  std::map<std::string_view, const Row*> all;
  for (const auto& row : rows) all.emplace(row.name, &row);
  return all;
}

bool is_error(const Row& row) {
  return row.judged.verdict == Verdict::skipped || row.judged.verdict == Verdict::failed;
}

Json results_to_json(const Results& results) {
  Json block;
  block["schema"] = "tuneproof.results";
  block["schema_version"] = {{"major", results_major}, {"minor", results_minor}};
  block["session"] = session_to_json(results.session);
  block["fingerprint"] = fingerprint_to_json(results.fingerprint);
  block["rounds"] = Json::array();
  for (const auto& round : results.rounds) block["rounds"].push_back(round_to_json(round));
  block["pairs"] = Json::array();
  block["errors"] = Json::array();
  for (const auto& row : results.rows)
    if (is_error(row))
      block["errors"].push_back(error_to_json(row));
    else
      block["pairs"].push_back(row_to_json(row));
  Json json;
  json["context"] = benchmark_context(results);
  json["benchmarks"] = benchmark_rows(results.rows);
  json["tuneproof"] = std::move(block);
  return json;
}

Results results_from_json(const Json& json, const std::string& name) {
  const Field root(json, name);
  if (!root.has("tuneproof")) root.reject("not a results file of tuneproof: it has no block 'tuneproof'");
  const Field block(root["tuneproof"].json(), name + ": tuneproof");
  check_schema(block);
  Results results;
  results.file = name;
  results.session = session_from_json(block["session"]);
  results.fingerprint = fingerprint_from_json(block["fingerprint"]);
  if (block.has("rounds"))
    for (const auto& round : block["rounds"].entries()) results.rounds.push_back(round_from_json(round));
  const bool planned = block["session"].has("rows");
  for (const auto& pair : block["pairs"].entries()) {
    results.rows.push_back(row_from_json(pair));
    check_units(results.rows.back(), pair);
    if (planned) pair["round_setup_ns"].entries();  // with a plan came rounds
  }
  for (const auto& error : block["errors"].entries()) results.rows.push_back(error_from_json(error));
  refuse_doubles(results);
  if (planned) check_rounds(results, block);
  if (planned) put_in_order(results.rows, block["session"]["rows"]);
  return results;
}

bool is_results(const Json& json) {
  return json.is_object() && json.contains("tuneproof") && json["tuneproof"].is_object() &&
         json["tuneproof"].contains("schema") && json["tuneproof"]["schema"] == "tuneproof.results";
}

Results read_results(const std::filesystem::path& file, StandIn stand_in) {
  auto results = results_from_json(read_json(file, most_results_bytes), file.string());
  check_stand_in(on_stand_in(results.fingerprint), stand_in, file.string());
  return results;
}

}  // namespace harness::results
