#include "workloads/tuning/settings_option.hpp"

#include "harness/support/field.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/text.hpp"

#include "workloads/stgym/space/config_option.hpp"
#include "workloads/tuning/make_knob.hpp"
#include "workloads/tuning/number_options.hpp"
#include "workloads/tuning/tunable_workloads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace workloads::tuning {
namespace {

using harness::Field;
using harness::Json;
using harness::Options;
using harness::catalogue::TuningPlace;

constexpr auto config = "config";
constexpr std::uint64_t most_file_bytes = 1 << 20;
const std::string settings_name(harness::catalogue::settings_option);

std::string_view workload_of(std::string_view step) { return step.substr(0, step.find('/')); }

bool is_tuned(std::string_view step) { return step.ends_with("/tuned"); }

/// The document of a file that `tune` wrote; nothing for any other text.
std::optional<Json> settings_file(const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return {};
  const auto text = harness::read_text(file, most_file_bytes);
  if (text.find(harness::catalogue::settings_schema) == std::string::npos) return {};
  return harness::parse_json(text, file);
}

Settings read_settings(const Field& json, const std::vector<Knob>& knobs) {
  auto settings = standard_of(knobs);
  for (const auto& [name, value] : json.members()) {
    const auto knob = std::ranges::find(knobs, name, &Knob::name);
    if (knob == knobs.end()) value.reject("this workload has no such knob here");
    const auto text = value.text();
    if (std::ranges::find(knob->values, text) == knob->values.end())
      value.reject(
          fmt::format("'{:.40}' is not a value of it; expected {}", text, harness::join_or(knob->values)));
    settings[name] = text;
  }
  return settings;
}

/// With the configuration that they were found for, where the file has one.
void take_settings(Options& options, const std::string& file, const Json& document) {
  const Field root(document, file);
  const auto workload = root["workload"].text();
  const auto* const known = tunable_workload(workload);
  if (known == nullptr) root["workload"].reject(fmt::format("'{:.40}' cannot be tuned", workload));
  for (const auto& [name, value] : root["knobs"].members()) static_cast<void>(value.text());
  options[settings_name] =
      Json{{"workload", workload}, {"settings", Json::array({document.at("knobs")})}}.dump();
  options.erase(config);
  if (const auto given = root.find("options"))
    for (const auto& [name, value] : given->members()) options.try_emplace(name, value.text());
}

}  // namespace

void resolve(Options& options) {
  check_numbers(options);
  const auto given = options.find(config);
  if (given != options.end()) {
    const auto file = given->second;
    if (const auto document = settings_file(file)) take_settings(options, file, *document);
  }
  stgym::space::resolve_config(options);
}

std::string why_not(const Options& options, std::string_view step) {
  if (!is_tuned(step)) return stgym::space::why_not(options, step);
  const auto given = options.find(settings_name);
  const auto workload = workload_of(step);
  const auto advice = fmt::format("`tuneproof tune {}` writes a file of settings for --config", workload);
  if (given == options.end()) return "no settings were given; " + advice;
  const auto document = harness::parse_json(given->second, settings_name);
  const auto whose = Field(document, settings_name)["workload"].text();
  return whose == workload ? "" : fmt::format("the settings of --config are {}'s; {}", whose, advice);
}

std::vector<Settings> settings_in(const TuningPlace& place, std::string_view workload) {
  const auto given = place.options.find(settings_name);
  if (given == place.options.end()) return {};
  const auto document = harness::parse_json(given->second, "--config");
  const Field root(document, "--config");
  const auto* const known = tunable_workload(workload);
  if (known == nullptr || root["workload"].text() != workload) return {};
  std::vector<Settings> all;
  for (const auto& one : root["settings"].entries()) {
    all.push_back(read_settings(one, known->knobs(place)));
    if (const auto reason = harness::catalogue::why_not(known->clashes, all.back()); !reason.empty())
      one.reject(reason);
  }
  return all;
}

}  // namespace workloads::tuning
