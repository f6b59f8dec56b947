#include "harness/compare/trials_file.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/support/utc_time.hpp"
#include "harness/tune/tried.hpp"

#include <fmt/format.h>

#include <cmath>

namespace harness::compare {
namespace {

using tensorboard::Setting;

constexpr double mib = 1 << 20;

Setting setting_of(const std::string& text) {
  if (const auto number = parse_number<double>(text)) return *number;
  if (text == "true" || text == "false") return text == "true";
  return text;
}

/// A trial that was given up on has its time only, and a failed one nothing.
std::map<std::string, double> results_of(const tune::Tried& tried) {
  if (tried.state == tune::State::failed) return {};
  std::map<std::string, double> results{{"samples_per_second", 1 / tried.answer.seconds_per_sample}};
  if (tried.state == tune::State::pruned) return results;
  results["peak_mib"] = tried.answer.peak_bytes / mib;
  results["loss"] = tried.answer.loss;
  return results;
}

tensorboard::Trial trial_of(const tune::Tried& tried, double started) {
  tensorboard::Trial trial{.name = fmt::format("trial-{}", tried.number),
                           .started = started,
                           .ended = started,
                           .succeeded = tried.state == tune::State::complete,
                           .results = results_of(tried)};
  if (std::isfinite(tried.seconds)) trial.ended += tried.seconds;
  for (const auto& [name, text] : tried.settings) trial.settings[name] = setting_of(text);
  return trial;
}

double start_of(const Field& field) {
  const auto time = utc_time(field.text());
  if (!time) field.reject("expected a time like 2026-01-31T12:00:00+00:00");
  return static_cast<double>(time->time_since_epoch().count());
}

}  // namespace

Search read_search(const Json& document, const std::string& name) {
  const Field root(document, name);
  Search search;
  auto time = start_of(root["started"]);
  for (const auto& trial : root["trials"].entries()) {
    search.trials.push_back(trial_of(tune::tried_from_json(trial), time));
    time = search.trials.back().ended;
  }
  return search;
}

}  // namespace harness::compare
