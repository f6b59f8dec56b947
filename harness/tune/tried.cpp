#include "harness/tune/tried.hpp"

#include <array>
#include <limits>

namespace harness::tune {
namespace {

constexpr std::array<std::string_view, 3> state_names{"complete", "pruned", "failed"};

State state_from(const Field& field) {
  const auto text = field.text();
  for (std::size_t i = 0; i < state_names.size(); ++i)
    if (text == state_names.at(i)) return static_cast<State>(i);
  field.reject("expected complete, pruned or failed, not '" + text + "'");
}

}  // namespace

std::string_view to_string(State state) { return state_names.at(static_cast<std::size_t>(state)); }

Json settings_to_json(const Settings& settings) {
  auto json = Json::object();
  for (const auto& [name, value] : settings) json[name] = value;
  return json;
}

Settings settings_from_json(const Field& json) {
  Settings settings;
  for (const auto& [name, value] : json.members()) settings[name] = value.text();
  return settings;
}

Json tried_to_json(const Tried& tried) {
  Json json{{"number", tried.number},
            {"state", to_string(tried.state)},
            {"settings", settings_to_json(tried.settings)},
            {"seconds", finite(tried.seconds)}};
  if (tried.state == State::failed) {
    json["reason"] = tried.reason;
    return json;
  }
  json["seconds_per_sample"] = finite(tried.answer.seconds_per_sample);
  if (tried.state == State::pruned) return json;
  json["peak_bytes"] = finite(tried.answer.peak_bytes);
  json["loss"] = finite(tried.answer.loss);
  json["samples"] = tried.answer.samples;
  return json;
}

Tried tried_from_json(const Field& json) {
  Tried tried{.number = static_cast<int>(json["number"].integer(0, most_rounds)),
              .settings = settings_from_json(json["settings"]),
              .state = state_from(json["state"]),
              .seconds = json["seconds"].number()};
  if (tried.state == State::failed) {
    tried.reason = json["reason"].text();
    return tried;
  }
  tried.answer.seconds_per_sample = json["seconds_per_sample"].positive();
  if (tried.state == State::pruned) return tried;
  tried.answer.peak_bytes = json["peak_bytes"].number();
  tried.answer.loss = json["loss"].number();
  tried.answer.samples = json["samples"].integer(1, std::numeric_limits<std::int64_t>::max());
  return tried;
}

std::string difference_text(const Settings& settings, const Settings& standard) {
  std::string text;
  for (const auto& [name, value] : settings) {
    const auto usual = standard.find(name);
    if (usual != standard.end() && usual->second == value) continue;
    text += (text.empty() ? "" : " ") + name + "=" + value;
  }
  return text.empty() ? "standard" : text;
}

}  // namespace harness::tune
