#include "harness/results/session_json.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/results/samples_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <map>

namespace harness::results {
namespace {

std::uint64_t seed_from(const Field& field) {
  const auto seed = parse_hexadecimal(field.text());
  if (!seed) field.reject("expected a hexadecimal number of at most 64 bits like 0x1f");
  return *seed;
}

std::string one_of(const Field& field, std::initializer_list<std::string_view> words) {
  auto text = field.text();
  if (std::ranges::find(words, text) == words.end()) field.reject("'" + text + "' is unknown");
  return text;
}

/// Sums over the slots of one form in one round.
struct Sum {
  double seconds = 0;
  double cpu_seconds = 0;
  int slots = 0;
};

Json benchmark_row(const Row& row, Form form, const Sum& sum, int round) {
  const auto name = row.name + "/variant:" + std::string(to_string(form));
  const auto seconds = sum.seconds / sum.slots;
  Json json;
  json["name"] = name;
  json["run_name"] = name;
  json["family_index"] = 0;
  json["per_family_instance_index"] = form == Form::naive ? 0 : 1;
  json["run_type"] = "iteration";
  json["repetitions"] = row.measured.log_ratios.size();
  json["repetition_index"] = round;
  json["threads"] = 1;  // copies of the benchmark, in Google Benchmark's sense; ours are in `session`
  json["iterations"] = row.measured.runs_of(form);
  json["real_time"] = nanoseconds(seconds);
  json["cpu_time"] = std::round(sum.cpu_seconds / sum.slots * 1e12) / 1e3;
  json["time_unit"] = "ns";
  if (row.measured.bytes_moved > 0)
    json["bytes_per_second"] = static_cast<double>(row.measured.bytes_moved) / seconds;
  return json;
}

std::vector<int> looks_from(const Field& json, int least) {
  std::vector<int> looks;
  for (const auto& look : json.entries()) looks.push_back(static_cast<int>(look.integer(least, 1'000'000)));
  if (std::ranges::adjacent_find(looks, std::greater_equal()) != looks.end())
    json.reject("expected rising numbers of rounds");
  return looks;
}

bool is_debug(const Fingerprint& fingerprint) {
  return fingerprint.hard.value("/software/build_type"_json_pointer, Json("Release")) == "Debug";
}

}  // namespace

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
  if (!session.early.empty()) json["early_looks"] = session.early;
  if (session.allotted) json["allotted"] = true;
  json["alpha"] = finite(session.alpha);
  json["k_pairs"] = session.pairs;
  if (session.pairs_by_share) json["k_pairs_by_share"] = true;
  json["units"] = session.units;
  json["rows"] = session.rows;
  json["options"] = Json::object();
  for (const auto& [name, value] : session.options) json["options"][name] = value;
  json["git"] = {{"head", session.commit}, {"dirty", session.commit.ends_with("-dirty")}};
  return json;
}

Session session_from_json(const Field& json) {
  Session session;
  session.id = json["id"].text();
  session.seed = seed_from(json["seed"]);
  session.data_seed = json.has("data_seed") ? seed_from(json["data_seed"]) : session.seed;
  session.started = json["started"].text();
  session.suite = one_of(json["suite"], {"quick", "claims", "full"});
  one_of(json["mode"], {"variants"});
  session.device = json["device"].text();
  session.threads = static_cast<int>(json["threads"].integer(1, 1'000'000));
  session.looks = looks_from(json["looks"], 1);
  if (session.looks.empty()) json["looks"].reject("expected rising numbers of rounds");
  if (json.has("early_looks")) session.early = looks_from(json["early_looks"], 2);
  if (!session.early.empty() && session.early.back() >= session.looks.front())
    json["early_looks"].reject("expected numbers of rounds below the first look");
  session.allotted = json.has("allotted") && json["allotted"].boolean();
  session.alpha = json["alpha"].number();
  if (!(session.alpha > 0 && session.alpha < 1)) json["alpha"].reject("expected a share between 0 and 1");
  session.units = json["units"].text();
  session.pairs = static_cast<int>(json["k_pairs"].integer(1, 1000));
  session.pairs_by_share = json.has("k_pairs_by_share") && json["k_pairs_by_share"].boolean();
  if (json.has("rows")) session.rows = json["rows"].texts();
  for (const auto& [name, value] : json["options"].members()) session.options[name] = value.text();
  session.commit = json["git"]["head"].text();
  return session;
}

Json benchmark_context(const Results& results) {
  const auto& info = results.fingerprint.info;
  const auto from_info = [&](const char* key, const Json& otherwise) {
    return info.contains(key) ? info[key] : otherwise;
  };
  Json json;
  json["date"] = results.session.started;
  json["host_name"] = from_info("host_name", "");
  json["executable"] = "tuneproof";
  json["num_cpus"] = from_info("num_cpus", 1);
  json["mhz_per_cpu"] = from_info("mhz_per_cpu", 0);
  json["cpu_scaling_enabled"] = from_info("cpu_scaling_enabled", false);
  json["caches"] = Json::array();
  json["load_avg"] = from_info("load_avg", Json::array());
  json["library_build_type"] = is_debug(results.fingerprint) ? "debug" : "release";
  json["json_schema_version"] = 1;
  json["tuneproof_schema"] =
      "tuneproof.results/" + std::to_string(results_major) + "." + std::to_string(results_minor);
  json["fingerprint_id"] = results.fingerprint.id.empty() ? Json(nullptr) : Json(results.fingerprint.id);
  return json;
}

Json benchmark_rows(const std::vector<Row>& rows) {
  Json json = Json::array();
  int family = 0;
  for (const auto& row : rows) {
    if (is_error(row) || row.measured.statistic != Statistic::median) continue;  // no times
    std::map<std::pair<Form, int>, Sum> sums;
    for (const auto& sample : row.measured.samples) {
      auto& sum = sums[{sample.form, sample.round}];
      sum.seconds += sample.seconds;
      sum.cpu_seconds += sample.cpu_seconds;
      ++sum.slots;
    }
    for (const auto& [key, sum] : sums) {
      if (!std::isfinite(sum.seconds) || !std::isfinite(sum.cpu_seconds) || sum.seconds <= 0) continue;
      json.push_back(benchmark_row(row, key.first, sum, key.second));
      json.back()["family_index"] = family;
    }
    ++family;
  }
  return json;
}

}  // namespace harness::results
