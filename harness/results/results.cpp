#include "harness/results/results.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/results/row_json.hpp"

#include <fmt/format.h>

#include <set>

namespace harness::results {
namespace {

// The session of a results file as JSON, and the part of the file that Google Benchmark's tools read.

std::uint64_t seed_from(const Field& field) {
  const auto seed = parse_hexadecimal(field.text());
  if (!seed) field.reject("expected a hexadecimal number of at most 64 bits like 0x1f");
  return *seed;
}

constexpr Way hexadecimal{[](std::uint64_t seed) { return fmt::format("{:#x}", seed); }, seed_from};

template <std::size_t N>
constexpr auto one_of(const std::array<std::string_view, N>& words) {
  return checked_by([words](const Field& field) {
    auto text = field.text();
    if (std::ranges::find(words, text) == words.end()) field.reject("'" + text + "' is unknown");
    return text;
  });
}

constexpr int most_early = 9;  // rounds, of which early_reach knows the range

/// Rising numbers of rounds.
constexpr auto looks_from(int least, int most) {
  return checked_by([least, most](const Field& field) {
    std::vector<int> looks;
    for (const auto& look : field.entries()) looks.push_back(static_cast<int>(look.integer(least, most)));
    if (std::ranges::adjacent_find(looks, std::greater_equal()) != looks.end())
      field.reject("expected rising numbers of rounds");
    return looks;
  });
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

bool is_debug(const Fingerprint& fingerprint) {
  return fingerprint.hard.value("/software/build_type"_json_pointer, Json("Release")) == "Debug";
}

constexpr auto session_members = [](auto& each, auto& session) {
  each("id", session.id);
  // Text: a seed may need all 64 bits, and many readers keep only 53 of a number.
  each("seed", session.seed, hexadecimal);
  each.since("data_seed", session.data_seed, hexadecimal);
  each.fixed("mode", "variants");
  each("started", session.started);
  each("suite", session.suite, one_of(std::array<std::string_view, 3>{"quick", "claims", "full"}));
  each("device", session.device);
  each("threads", session.threads, whole(1, 1'000'000));
  each("looks", session.looks, looks_from(1, most_rounds));
  each.if_any("early_looks", session.early, looks_from(2, most_early));
  each.if_any("allotted", session.allotted);
  each("alpha", session.alpha, checked_by(alpha_from));
  each("k_pairs", session.pairs, whole(1, 1000));
  each.if_any("k_pairs_by_share", session.pairs_by_share);
  each("units", session.units);
  each.if_any("rehearsal_other_cpu_share", session.rehearsal_other_cpu);
  each.since("rows", session.rows);
  each("options", session.options);
  each("git", session.commit,
       Way{[](const std::string& commit) {
             return Json{{"head", commit}, {"dirty", commit.ends_with("-dirty")}};
           },
           [](const Field& git) { return git["head"].text(); }});
};

/// Throws BadInput naming the field that is missing or wrong.
Session session_from_json(const Field& json) {
  auto session = read_by<Session>(session_members, json);
  if (!json.has("data_seed")) session.data_seed = session.seed;
  if (session.looks.empty()) json["looks"].reject("expected rising numbers of rounds");
  if (!session.early.empty() && session.early.back() >= session.looks.front())
    json["early_looks"].reject("expected numbers of rounds below the first look");
  return session;
}

constexpr int results_major = 1;   // readers refuse a higher one
constexpr int results_minor = 13;  // adds optional fields and words only

/// `context` in Google Benchmark's form, with the two keys that lead a reader to our block.
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

/// One row per form and unit: the units are the independent repetitions, so that compare.py's U test never
/// counts a slot as one. Rows that were not measured, and times that are not finite, do not appear.
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

/// How far off the machine was, which a row's own rounds say.
void note_canaries(Results& results) {
  for (auto& row : results.rows) {
    Disturbances seen;
    add_canaries(results.rounds, static_cast<std::size_t>(row.rounds), row.device.is_cuda(), seen);
    row.judged.off = seen.off;
  }
}

}  // namespace

std::map<std::string_view, const Row*> Results::by_name() const {
  std::map<std::string_view, const Row*> all;
  for (const auto& row : rows) all.emplace(row.name, &row);
  return all;
}

void tell_results_file(const std::filesystem::path& file) {
  tell(fmt::format("the results are in {}", file.string()));
}

bool is_error(const Row& row) {
  return row.judged.verdict == Verdict::skipped || row.judged.verdict == Verdict::failed;
}

Json results_to_json(const Results& results) {
  Json block;
  block["schema"] = "tuneproof.results";
  block["schema_version"] = {{"major", results_major}, {"minor", results_minor}};
  block["session"] = json_by(session_members, results.session);
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
  note_canaries(results);
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
