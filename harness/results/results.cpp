#include "harness/results/results.hpp"

#include "harness/results/benchmarks.hpp"
#include "harness/results/row_json.hpp"
#include "harness/support/read_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <initializer_list>
#include <map>

namespace harness::results {
namespace {

Json session_to_json(const Session& session) {
  Json json;
  json["id"] = session.id;
  // Text: a seed may need all 64 bits, and many readers keep only 53 of a number.
  json["seed"] = fmt::format("{:#x}", session.seed);
  json["data_seed"] = fmt::format("{:#x}", session.data_seed);
  json["mode"] = "variants";
  json["started"] = session.started;
  json["suite"] = session.suite;
  json["device"] = session.device;
  json["threads"] = session.threads;
  json["looks"] = session.looks;
  json["alpha"] = finite(session.alpha);
  json["k_pairs"] = session.pairs;
  json["units"] = session.units;
  json["rows"] = session.rows;
  json["options"] = Json::object();
  for (const auto& [name, value] : session.options) json["options"][name] = value;
  json["git"] = {{"head", session.commit}, {"dirty", session.commit.ends_with("-dirty")}};
  return json;
}

std::uint64_t seed_from(const Field& field) {
  const auto text = field.text();
  std::uint64_t seed = 0;
  const auto* const last = text.data() + text.size();
  if (!text.starts_with("0x") || text.size() < 3) field.reject("a hexadecimal number like 0x1f is expected");
  const auto [end, error] = std::from_chars(text.data() + 2, last, seed, 16);
  if (error != std::errc{} || end != last)
    field.reject("a hexadecimal number of at most 64 bits is expected");
  return seed;
}

std::string one_of(const Field& field, std::initializer_list<std::string_view> words) {
  auto text = field.text();
  if (std::ranges::find(words, text) == words.end()) field.reject("'" + text + "' is not known");
  return text;
}

Session session_from_json(const Field& json) {
  Session session;
  session.id = json["id"].text();
  session.seed = seed_from(json["seed"]);
  session.data_seed = json.has("data_seed") ? seed_from(json["data_seed"]) : session.seed;
  session.started = json["started"].text();
  session.suite = one_of(json["suite"], {"quick", "full"});
  one_of(json["mode"], {"variants"});
  session.device = json["device"].text();
  session.threads = static_cast<int>(json["threads"].integer(1, 1'000'000));
  for (const auto& look : json["looks"].entries())
    session.looks.push_back(static_cast<int>(look.integer(1, 1'000'000)));
  if (session.looks.empty() ||
      std::ranges::adjacent_find(session.looks, std::greater_equal()) != session.looks.end())
    json["looks"].reject("rising numbers of rounds are expected");
  session.alpha = json["alpha"].positive();
  if (!(session.alpha < 1)) json["alpha"].reject("a share between 0 and 1 is expected");
  session.units = json["units"].text();
  session.pairs = static_cast<int>(json["k_pairs"].integer(1, 1000));
  if (json.has("rows")) session.rows = json["rows"].texts();
  for (const auto& [name, value] : json["options"].members()) session.options[name] = value.text();
  session.commit = json["git"]["head"].text();
  return session;
}

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
  return row;
}

void check_schema(const Field& block) {
  if (block["schema"].text() != "tuneproof.results")
    block["schema"].reject("'tuneproof.results' is expected");
  const auto major = block["schema_version"]["major"];
  if (major.integer() > results_major)
    major.reject("the file was written by a newer tuneproof (" + std::to_string(major.integer()) +
                 "; this one reads up to " + std::to_string(results_major) + ")");
  block["schema_version"]["minor"].integer(0, 1'000'000);
}

/// Rounds are counted from 0 and none is left out; no row has more units than there were rounds.
void check_rounds(const Results& results, const Field& block) {
  for (std::size_t i = 0; i < results.rounds.size(); ++i)
    if (results.rounds[i].round != static_cast<int>(i))
      block["rounds"].reject("the rounds are expected in order, from 0");
  for (const auto& row : results.rows)
    if (row.measured.log_ratios.size() > results.rounds.size())
      block["pairs"].reject("'" + row.name + "' has more units than there were rounds");
}

/// Each planned row must be there once, and no other.
void put_in_order(std::vector<Row>& rows, const Field& names) {
  std::map<std::string, std::size_t, std::less<>> place;
  for (const auto& name : names.texts())
    if (!place.emplace(name, place.size()).second) names.reject("duplicate row '" + name + "'");
  std::vector<bool> seen(place.size());
  for (const auto& row : rows) {
    const auto found = place.find(row.name);
    if (found == place.end()) names.reject("'" + row.name + "' is missing");
    if (seen[found->second]) names.reject("'" + row.name + "' has two results");
    seen[found->second] = true;
  }
  if (rows.size() != place.size()) names.reject("a row has no result");
  std::ranges::sort(rows, {}, [&](const Row& row) { return place.find(row.name)->second; });
}

}  // namespace

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
  if (!root.has("tuneproof"))
    root.reject("this is no results file of tuneproof: it has no block 'tuneproof'");
  const Field block(root["tuneproof"].json(), name + ": tuneproof");
  check_schema(block);
  Results results;
  results.session = session_from_json(block["session"]);
  results.fingerprint = fingerprint_from_json(block["fingerprint"]);
  if (block.has("rounds"))
    for (const auto& round : block["rounds"].entries()) results.rounds.push_back(round_from_json(round));
  const bool planned = block["session"].has("rows");
  for (const auto& pair : block["pairs"].entries()) {
    results.rows.push_back(row_from_json(pair));
    if (planned) pair["round_setup_ns"].entries();  // with a plan came rounds
  }
  for (const auto& error : block["errors"].entries()) results.rows.push_back(error_from_json(error));
  if (planned) check_rounds(results, block);
  if (planned) put_in_order(results.rows, block["session"]["rows"]);
  return results;
}

Results read_results(const std::filesystem::path& file, StandIn stand_in) {
  auto results =
      results_from_json(parse_json(read_text(file, most_results_bytes), file.string()), file.string());
  check_stand_in(on_stand_in(results.fingerprint), stand_in, file.string());
  return results;
}

}  // namespace harness::results
