#include "workloads/tuning/settings_option.hpp"

#include "harness/support/field.hpp"
#include "harness/support/text.hpp"

#include "workloads/tuning/make_knob.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace workloads::tuning {
namespace {

using harness::Field;
using harness::catalogue::TunableWorkload;
using harness::catalogue::TuningPlace;

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

}  // namespace

std::vector<Settings> settings_in(const TuningPlace& place, const TunableWorkload& workload) {
  const auto given = place.options.find(harness::catalogue::settings_option);
  if (given == place.options.end()) return {};
  const auto document = harness::parse_json(given->second, "--config");
  const Field root(document, "--config");
  if (root["workload"].text() != workload.workload) return {};
  std::vector<Settings> all;
  for (const auto& one : root["settings"].entries()) {
    all.push_back(read_settings(one, workload.knobs(place)));
    if (const auto reason = harness::catalogue::why_not(workload.clashes, all.back()); !reason.empty())
      one.reject(reason);
  }
  return all;
}

}  // namespace workloads::tuning
