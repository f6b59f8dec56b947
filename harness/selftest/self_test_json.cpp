// The writing half of self_test_file.hpp.
#include "harness/core/error_rates.hpp"
#include "harness/selftest/self_test_file.hpp"

#include <fmt/format.h>

namespace harness::selftest {
namespace {

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

}  // namespace

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

}  // namespace harness::selftest
