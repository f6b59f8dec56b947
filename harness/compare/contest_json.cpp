#include "harness/compare/contest_text.hpp"
#include "harness/compare/run_file.hpp"
#include "harness/results/samples_json.hpp"

#include <fmt/format.h>

namespace harness::compare {
namespace {

Json judgement_json(const Judgement& judged) {
  Json json;
  json["verdict"] = to_string(judged.verdict);
  json["flags"] = judged.flags;
  json["ratio"] = finite(judged.ratio);
  json["ratio_ci"] = nullptr;
  if (judged.ratio_interval)
    json["ratio_ci"] = {finite(judged.ratio_interval->low), finite(judged.ratio_interval->high)};
  json["alpha_look"] = finite(judged.alpha_look);
  json["sd_round"] = finite(judged.sd);
  json["mde95"] = finite(judged.smallest_effect);
  return json;
}

Json numbers_json(const std::vector<double>& numbers) {
  Json json = Json::array();
  for (const auto number : numbers) json.push_back(finite(number));
  return json;
}

/// One value a round: the optimized form's time in that program; none where something else is compared.
Json times_json(const results::Row& row, Form side) {
  Json json = Json::array();
  if (row.measured.statistic != Statistic::median) return json;
  for (const auto& sample : row.measured.samples)
    if (sample.form == side) json.push_back(results::nanoseconds(sample.seconds));
  return json;
}

Json increases_json(const std::vector<CountIncrease>& increases) {
  Json json = Json::array();
  for (const auto& increase : increases)
    json.push_back({{"figure", increase.figure},
                    {"form", increase.form},
                    {"unit", increase.unit},
                    {"base", finite(increase.base)},
                    {"head", finite(increase.current)}});
  return json;
}

/// Both programs' values: times, or what stands for the time of a run.
void add_values(Json& json, const results::Row& row) {
  const bool time = row.measured.statistic == Statistic::median;
  json["metric"] = results::metric_of(row.measured);
  json["base_ns"] = time ? results::nanoseconds(row.naive_seconds) : Json(nullptr);
  json["head_ns"] = time ? results::nanoseconds(row.optimized_seconds) : Json(nullptr);
  if (time) return;
  json["base_value"] = finite(row.naive_seconds);
  json["head_value"] = finite(row.optimized_seconds);
  const auto& figures = row.measured.figures;
  json["value_unit"] = figures.empty() ? "" : figures.front().unit;
}

Json row_json(const ContestRow& row) {
  Json json;
  json["id"] = row.row.name;
  json["step"] = row.row.step;
  json["device"] = to_string(row.row.device);
  json["timer"] = row.row.measured.timer == Timer::event ? "cuda_event" : "steady_clock";
  json["iterations"] = row.row.measured.iterations;
  json["margin"] = finite(row.row.delta);
  json["advisory"] = false;  // readers of version 1.1 look for it
  json["p_adj"] = finite(row.p);
  json["adj"] = "holm";
  json["regressed"] = row.regressed;
  json["confirmed"] = row.confirmed;
  json["reason"] = row.row.reason;
  json["rounds"] = row.row.rounds;
  json["result"] = judgement_json(row.row.judged);
  json["again"] = row.again ? judgement_json(*row.again) : Json(nullptr);
  json["control"] = judgement_json(row.control);
  add_values(json, row.row);
  json["round_log_ratios"] = numbers_json(row.row.measured.log_ratios);
  json["round_control_log_ratios"] = numbers_json(row.control_log_ratios);
  json["round_base_ns"] = times_json(row.row, Form::naive);
  json["round_head_ns"] = times_json(row.row, Form::optimized);
  if (row.instructions)
    json["instructions"] = {{"base", finite(row.instructions->naive)},
                            {"head", finite(row.instructions->optimized)}};
  json["count_increases"] = increases_json(row.increases);
  return json;
}

Json party_json(const BuildName& build_name) {
  return {{"program", build_name.program}, {"version", build_name.version}, {"commit", build_name.commit}};
}

Json session_json(const GateOutcome& outcome) {
  const auto& session = outcome.session;
  Json json;
  json["id"] = session.id;
  json["started"] = session.started;
  json["seed"] = seed_text(session.seed);
  json["second_seed"] = outcome.second ? Json(seed_text(outcome.second->seed)) : Json(nullptr);
  json["device"] = session.device;
  json["threads"] = session.threads;
  json["looks"] = session.looks;
  json["alpha"] = session.alpha;
  json["k_pairs"] = session.pairs;
  json["options"] = Json::object();
  for (const auto& [name, value] : session.options) json["options"][name] = value;
  json["complete"] = !outcome.signal;
  return json;
}

}  // namespace

Json contest_json(const ContestReport& report) {
  Json json;
  json["schema"] = "tuneproof.comparison";
  json["schema_version"] = {{"major", contest_major}, {"minor", contest_minor}};
  json["base"] = party_json(report.base);
  json["head"] = party_json(report.head);
  json["session"] = session_json(report.outcome);
  json["fingerprint"] = results::fingerprint_to_json(report.fingerprint);
  json["rows"] = Json::array();
  for (const auto& row : report.outcome.rows) json["rows"].push_back(row_json(row));
  json["missing"] = report.missing;
  json["new"] = report.added;
  json["notes"] = report.notes;
  json["rounds"] = Json::array();
  for (const auto& round : report.outcome.rounds) json["rounds"].push_back(results::round_to_json(round));
  return json;
}

}  // namespace harness::compare
