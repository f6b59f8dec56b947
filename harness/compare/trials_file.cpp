#include "harness/compare/trials_file.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/support/utc_time.hpp"

#include <fmt/format.h>

#include <cmath>

namespace harness::compare {
namespace {

using tensorboard::Setting;

constexpr double mib = 1 << 20;

Setting setting_of(const Field& field) {
  auto text = field.text();
  if (const auto number = parse_number<double>(text)) return *number;
  if (text == "true" || text == "false") return text == "true";
  return text;
}

/// Those that the trial has; one that was given up on or failed has fewer.
std::map<std::string, double> results_of(const Field& trial) {
  std::map<std::string, double> results;
  if (const auto time = trial.find("seconds_per_sample"))
    results["samples_per_second"] = 1 / time->positive();
  if (const auto peak = trial.find("peak_bytes")) results["peak_mib"] = peak->number() / mib;
  if (const auto loss = trial.find("loss")) results["loss"] = loss->number();
  return results;
}

tensorboard::Trial trial_of(const Field& field, double started) {
  tensorboard::Trial trial{.name = fmt::format("trial-{}", field["number"].integer(0, most_rounds)),
                           .started = started,
                           .ended = started};
  if (const auto seconds = field["seconds"].number(); std::isfinite(seconds)) trial.ended += seconds;
  const auto state = field["state"].text();
  if (state != "complete" && state != "pruned" && state != "failed")
    field["state"].reject("expected complete, pruned or failed");
  trial.succeeded = state == "complete";
  for (const auto& [name, value] : field["settings"].members()) trial.settings[name] = setting_of(value);
  trial.results = results_of(field);
  return trial;
}

double start_of(const Field& field) {
  const auto time = utc_time(field.text());
  if (!time) field.reject("expected a time like 2026-01-31T12:00:00+00:00");
  return static_cast<double>(time->time_since_epoch().count());
}

}  // namespace

bool is_search(const Json& document) {
  return document.is_object() && document.contains("schema") && document["schema"] == search_schema;
}

Search read_search(const Json& document, const std::string& name) {
  const Field root(document, name);
  Search search;
  auto time = start_of(root["started"]);
  for (const auto& trial : root["trials"].entries()) {
    search.trials.push_back(trial_of(trial, time));
    time = search.trials.back().ended;
  }
  return search;
}

}  // namespace harness::compare
