#include "harness/run/self_test_file.hpp"

#include "harness/core/error_rates.hpp"
#include "harness/core/parse_number.hpp"
#include "harness/results/row_json.hpp"
#include "harness/support/field.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/support/scratch_folder.hpp"

#include <fmt/format.h>

namespace harness::run {
namespace {

constexpr std::chrono::hours clock_difference{24};  // between machines that share a cache

constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20;

constexpr int selftest_major = 1;  // readers refuse a higher one
constexpr int selftest_minor = 2;  // adds optional fields only

void require_known_version(const Field& field) {
  const auto text = field.text();
  const auto* const last = text.data() + text.size();
  int major = 0;
  if (!text.starts_with(selftest_schema)) field.reject("expected 'tuneproof.selftest/1'");
  if (std::from_chars(text.data() + selftest_schema.size(), last, major).ec != std::errc{})
    field.reject("the version is missing");
  if (major != selftest_major)
    field.reject(
        fmt::format("another tuneproof wrote version {}; this one reads version {}", major, selftest_major));
}

std::uint64_t seed_from(const Field& field) {
  const auto seed = parse_hexadecimal(field.text());
  if (!seed) field.reject("expected a number like 0x1f");
  return *seed;
}

/// A share or a ratio; NaN, null and 1e999 are none.
double plain_number(const Field& field, double least) {
  const auto value = field.number();
  if (!std::isfinite(value) || value < least) field.reject(fmt::format("expected a number from {}", least));
  return value;
}

Planted planted_from(const Field& field) {
  const auto text = field.text();
  for (const auto planted : {Planted::nothing, Planted::slower, Planted::faster})
    if (to_string(planted) == text) return planted;
  field.reject("expected nothing, slower or faster");
}

Verdict judged_from(const Field& field) {
  const auto text = field.text();
  for (const auto verdict : {Verdict::helps, Verdict::no_effect, Verdict::hurts, Verdict::inconclusive})
    if (to_string(verdict) == text) return verdict;
  field.reject("expected helps, no_effect, hurts or inconclusive");
}

std::vector<PairSession> sessions_from(const Field& json) {
  const auto planted = json["planted"].entries();
  const auto column = [&](const char* name) {
    auto entries = json[name].entries();
    if (entries.size() != planted.size())
      json[name].reject(fmt::format("expected {} values, one a session", planted.size()));
    return entries;
  };
  const auto verdicts = column("verdict");
  const auto rounds = column("rounds");
  const auto ratios = column("ratio");
  const auto sds = column("sd_round");
  const auto effects = column("smallest_effect");
  const auto flags = json.has("flags") ? column("flags") : std::vector<Field>{};
  const auto counts = json.has("counts_differ") ? column("counts_differ") : std::vector<Field>{};
  const auto cpu = json.has("cpu_verdict") ? column("cpu_verdict") : std::vector<Field>{};
  std::vector<PairSession> sessions;
  for (std::size_t i = 0; i < planted.size(); ++i)
    sessions.push_back({.planted = planted_from(planted[i]),
                        .verdict = judged_from(verdicts[i]),
                        .rounds = static_cast<int>(rounds[i].integer(0, most_rounds)),
                        .ratio = plain_number(ratios[i], 0),
                        .sd = plain_number(sds[i], 0),
                        .smallest_effect = plain_number(effects[i], 0),
                        .flags = flags.empty() ? std::vector<std::string>{} : flags[i].texts(),
                        .counts_differ = !counts.empty() && counts[i].boolean(),
                        .cpu = cpu.empty() ? Verdict::inconclusive : judged_from(cpu[i])});
  return sessions;
}

TestedPair pair_from(const Field& json) {
  TestedPair pair{.name = json["name"].text()};
  if (json.has("reason")) pair.reason = json["reason"].text();
  if (json.has("failed")) pair.failed = json["failed"].boolean();
  pair.sessions = sessions_from(json["sessions"]);
  for (const auto& ratio : json["aa_round_log_ratios"].entries())
    pair.aa_log_ratios.push_back(plain_number(ratio, -1000));
  return pair;
}

// The writing half of self_test_file.hpp.

Json rate_json(const Rate& rate) { return {{"hits", rate.hits}, {"trials", rate.trials}}; }

Json interval_json(const std::optional<Interval>& interval) {
  return interval ? Json{finite(interval->low), finite(interval->high)} : Json(nullptr);
}

Json sessions_json(const std::vector<PairSession>& sessions) {
  Json json;
  for (const auto* column : {"planted", "verdict", "rounds", "ratio", "sd_round", "smallest_effect", "flags",
                             "counts_differ", "cpu_verdict"})
    json[column] = Json::array();
  for (const auto& session : sessions) {
    json["planted"].push_back(to_string(session.planted));
    json["verdict"].push_back(to_string(session.verdict));
    json["rounds"].push_back(session.rounds);
    json["ratio"].push_back(session.ratio);
    json["sd_round"].push_back(session.sd);
    json["smallest_effect"].push_back(session.smallest_effect);
    json["flags"].push_back(session.flags);
    json["counts_differ"].push_back(session.counts_differ);
    json["cpu_verdict"].push_back(to_string(session.cpu));
  }
  return json;
}

Json pair_json(const TestedPair& pair, const PairReport& report) {
  Json json{{"name", pair.name}};
  if (!pair.reason.empty()) json["reason"] = pair.reason;
  if (pair.failed) json["failed"] = true;
  json["proves"] = {{"false_claims", rate_json(report.false_claims)},
                    {"equal", rate_json(report.equal)},
                    {"found", rate_json(report.found)},
                    {"mirror_found", rate_json(report.mirror_found)},
                    {"sd_round", report.sd},
                    {"nu", report.nu},
                    {"smallest_effect", finite(report.smallest_effect)},
                    {"sees", report.sees},
                    {"shift", report.shift},
                    {"shift_interval", interval_json(report.shift_interval)},
                    {"layout_bias", report.layout_bias}};
  json["sessions"] = sessions_json(pair.sessions);
  json["aa_round_log_ratios"] = pair.aa_log_ratios;
  return json;
}

Json proof_json(const SelfTestReport& report) {
  const auto& claims = report.false_claims;
  const auto& found = report.found;
  return {{"grade", to_string(report.grade)},
          {"false_claims", rate_json(claims)},
          {"false_claims_upper95", rate_upper_bound(claims.hits, claims.trials)},
          {"claims_by_counts", rate_json(report.claims_by_counts)},
          {"claims_by_cpu", rate_json(report.claims_by_cpu)},
          {"found", rate_json(found)},
          {"found_lower95", rate_lower_bound(found.hits, found.trials)},
          {"equal_pairs", rate_json(report.equal)},
          {"seeing_pairs", rate_json(report.sees)}};
}

/// A self-test that is older proves nothing of the machine of today.
constexpr std::chrono::days most_self_test_age{30};

}  // namespace

bool is_current(const SelfTest& test, std::string_view machine_class, std::chrono::sys_seconds now) {
  const auto age = now - utc_time(test.started).value();
  return test.machine_class == machine_class && age <= most_self_test_age && age >= -clock_difference;
}

std::optional<std::filesystem::path> self_test_cache(std::string_view machine_class) {
  return cache_file("selftest", machine_class);
}

std::optional<SelfTest> cached_self_test(const std::string& machine_class, std::chrono::sys_seconds now) {
  const auto file = self_test_cache(machine_class);
  std::error_code ignored;  // a folder that cannot be read holds nothing for us
  if (!file || !std::filesystem::is_regular_file(*file, ignored)) return std::nullopt;
  auto test = read_self_test(*file);
  return is_current(test, machine_class, now) ? std::optional(std::move(test)) : std::nullopt;
}

std::optional<std::filesystem::path> cache_self_test(const SelfTest& test) {
  auto file = self_test_cache(test.machine_class);
  if (!file) return std::nullopt;
  const NewFolders folders(file->parent_path());
  ReplaceFile(*file).write(pretty(self_test_to_json(test)));
  return file;
}

SelfTest self_test_from_json(const Json& json, const std::string& name) {
  const Field root(json, name);
  require_known_version(root["schema"]);
  SelfTest test{.machine_class = root["machine_class"].text(),
                .fingerprint = root["fingerprint"].json(),
                .started = root["started"].text(),
                .commit = root["commit"].text(),
                .seed = seed_from(root["seed"]),
                .seconds = plain_number(root["seconds"], 0),
                .delta = plain_number(root["delta"], 0),
                .planted = plain_number(root["planted"], 0),
                .alpha = results::alpha_from(root["alpha"]),
                .pairs = {}};
  if (!utc_time(test.started)) root["started"].reject("expected a time like 2026-01-31T12:00:00+00:00");
  for (const auto& pair : root["pairs"].entries()) test.pairs.push_back(pair_from(pair));
  return test;
}

SelfTest read_self_test(const std::filesystem::path& file) {
  return self_test_from_json(read_json(file, most_bytes), file.string());
}

Json self_test_to_json(const SelfTest& test) {
  const auto report = report_of(test);
  Json json{{"schema", fmt::format("{}{}.{}", selftest_schema, selftest_major, selftest_minor)},
            {"machine_class", test.machine_class},
            {"started", test.started},
            {"commit", test.commit},
            {"seed", fmt::format("{:#x}", test.seed)},
            {"seconds", test.seconds},
            {"delta", test.delta},
            {"planted", test.planted},
            {"alpha", test.alpha},
            {"proves", proof_json(report)},
            {"fingerprint", test.fingerprint},
            {"pairs", Json::array()}};
  for (std::size_t i = 0; i < test.pairs.size(); ++i)
    json["pairs"].push_back(pair_json(test.pairs[i], report.pairs[i]));
  return json;
}

}  // namespace harness::run
