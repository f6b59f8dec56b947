#include "harness/tune/tune_file.hpp"

#include "harness/tune/advice.hpp"

namespace harness::tune {
namespace {

Json knob_json(const catalogue::Knob& knob) {
  return {{"name", knob.name},         {"about", knob.about},   {"values", knob.values},
          {"standard", knob.standard}, {"advice", knob.advice}, {"changes_answer", knob.changes_answer}};
}

Json found_json(const Found& found) {
  return {{"settings", settings_to_json(found.settings)},
          {"seconds_per_sample", finite(found.seconds_per_sample)},
          {"peak_bytes", finite(found.peak_bytes)},
          {"loss", finite(found.loss)},
          {"trials", found.trials}};
}

Json trials_json(const Outcome& outcome) {
  auto all = Json::array();
  const auto standard = standard_found(outcome.plan, outcome.trials);
  for (const auto& tried : outcome.trials) {
    auto json = tried_to_json(tried);
    json["difference"] = difference_text(tried.settings, standard_of(outcome.plan));
    if (tried.state == State::complete) {
      bool kept = true;
      for (const auto share : broken_limits(outcome.plan, tried.answer, standard)) kept = kept && share <= 0;
      json["keeps_limits"] = kept;
    }
    all.push_back(std::move(json));
  }
  return all;
}

Json proven_json(const Proven& one, const Settings& standard) {
  Json json{{"label", one.candidate.label},
            {"settings", settings_to_json(one.candidate.settings)},
            {"difference", difference_text(one.candidate.settings, standard)},
            {"promised", finite(one.candidate.promised)},
            {"row", one.row == nullptr ? Json() : Json(one.row->name)},
            {"loss_ratio", one.loss_ratio ? finite(*one.loss_ratio) : Json()},
            {"loss_holds", one.loss_holds},
            {"sentence", proof_text(one)}};
  if (one.row == nullptr || results::is_error(*one.row)) return json;
  json["ratio"] = finite(one.row->judged.ratio);
  json["verdict"] = to_string(one.row->judged.verdict);
  if (const auto& interval = one.row->judged.ratio_interval)
    json["ratio_ci"] = {finite(interval->low), finite(interval->high)};
  return json;
}

}  // namespace

Json outcome_to_json(const Outcome& outcome) {
  const auto& plan = outcome.plan;
  Json json{{"schema", tune_schema},
            {"plan", plan_to_json(plan)},
            {"searcher", outcome.searcher},
            {"started", outcome.started},
            {"commit", outcome.commit},
            {"unit", plan.workload.unit},
            {"fingerprint", results::fingerprint_to_json(outcome.fingerprint)}};
  json["knobs"] = Json::array();
  for (const auto& knob : plan.knobs) json["knobs"].push_back(knob_json(knob));
  const auto standard = standard_found(plan, outcome.trials);
  json["standard"] = standard ? found_json(*standard) : Json();
  json["trials"] = trials_json(outcome);
  json["front"] = Json::array();
  for (const auto& found : pareto_front(plan, outcome.trials)) json["front"].push_back(found_json(found));
  json["importance"] = Json::array();
  for (const auto& one : importance(plan, outcome.trials))
    json["importance"].push_back({{"knob", one.knob}, {"share", finite(one.share)}});
  const auto all = proven(plan, outcome.candidates, outcome.proof ? &*outcome.proof : nullptr);
  json["candidates"] = Json::array();
  for (const auto& one : all) json["candidates"].push_back(proven_json(one, standard_of(plan)));
  json["conclusion"] = conclusion(all, standard.has_value());
  const auto* const best = winner(all);
  json["chosen"] = best == nullptr ? Json() : settings_file(plan, best->candidate.settings);
  json["in_own_code"] = best == nullptr ? Json::array() : Json(in_own_code(plan, best->candidate.settings));
  json["proof"] = outcome.proof ? results::results_to_json(*outcome.proof) : Json();
  return json;
}

bool is_tune_file(const Json& json) {
  return json.is_object() && json.contains("schema") && json["schema"] == tune_schema;
}

void require_tune_file(const Field& root) {
  root["plan"]["workload"].text();
  root["searcher"].text();
  root["conclusion"].text();
  for (const auto& trial : root["trials"].entries()) {
    tried_from_json(trial);
    trial["difference"].text();
  }
  for (const auto& found : root["front"].entries()) {
    found["seconds_per_sample"].positive();
    found["peak_bytes"].number();
  }
  for (const auto& one : root["importance"].entries()) {
    one["knob"].text();
    one["share"].number();
  }
  for (const auto& one : root["candidates"].entries()) {
    for (const auto* name : {"label", "difference", "sentence"}) one[name].text();
    one["promised"].positive();
  }
  for (const auto& line : root["in_own_code"].entries()) line.text();
}

}  // namespace harness::tune
