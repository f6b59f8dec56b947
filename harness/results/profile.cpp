#include "harness/results/profile.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/core/setup.hpp"
#include "harness/results/row_json.hpp"

#include <fmt/format.h>

#include <array>
#include <set>
#include <string_view>

namespace harness::results {
namespace {

constexpr int most_repeats = 100'000;

struct Part {
  std::string_view name;
  int Schedule::* value;
  int least;
};
constexpr std::array<Part, 4> parts{{{"wait", &Schedule::wait, 0},
                                     {"warmup", &Schedule::warmup, 0},
                                     {"active", &Schedule::active, 1},
                                     {"repeat", &Schedule::repeat, 1}}};

[[noreturn]] void refuse(const std::string& text, const std::string& flag, std::string_view why) {
  throw BadInput(fmt::format("{} {}: {}, as in wait=10,warmup=10,active=20,repeat=1", flag, text, why));
}

/// True if `word` is "name=number" with a number that the part may have.
bool take(std::string_view word, const Part& part, Schedule& schedule) {
  if (!word.starts_with(part.name) || word.substr(part.name.size(), 1) != "=") return false;
  const auto number = parse_number<int>(word.substr(part.name.size() + 1));
  if (!number) return false;
  schedule.*part.value = *number;
  return *number >= part.least && *number <= most_repeats;
}

constexpr int most_runs = 1'000'000'000;
constexpr std::int64_t most_calls = std::int64_t{1} << 30;

Json value_or_null(const std::optional<double>& value) { return value ? finite(*value) : Json(nullptr); }

std::optional<double> value_from(const Field& field) {
  return field.is_null() ? std::nullopt : std::optional(field.number());
}

Form form_from(const Field& field) {
  const auto text = field.text();
  for (const auto form : {Form::naive, Form::optimized})
    if (to_string(form) == text) return form;
  field.reject("'" + text + "' is not a form");
}

Json form_to_json(const FormProfile& form) {
  return {{"form", to_string(form.form)},
          {"runs", form.runs},
          {"profiler_on_ns", nanoseconds(form.seconds_on)},
          {"profiler_off_ns", {nanoseconds(form.seconds_before), nanoseconds(form.seconds_after)}},
          {"traces", form.traces}};
}

FormProfile form_profile_from(const Field& json) {
  const auto off = json["profiler_off_ns"].entries();
  if (off.size() != 2) json["profiler_off_ns"].reject("expected two times");
  return {.form = form_from(json["form"]),
          .runs = static_cast<int>(json["runs"].integer(0, most_runs)),
          .seconds_on = seconds_from(json["profiler_on_ns"]),
          .seconds_before = seconds_from(off[0]),
          .seconds_after = seconds_from(off[1]),
          .traces = json["traces"].texts()};
}

Json figure_to_json(const ProfileFigure& figure) {
  Json json;
  json["name"] = figure.name;
  json["unit"] = figure.unit;
  json["naive"] = value_or_null(figure.naive);
  json["optimized"] = value_or_null(figure.optimized);
  if (figure.published)
    json["published"] = {
        {"before", figure.published->before > 0 ? Json(figure.published->before) : Json(nullptr)},
        {"after", value_or_null(figure.published->after)},
        {"where", figure.published->where}};
  return json;
}

ProfileFigure figure_from_json(const Field& json) {
  ProfileFigure figure{json["name"].text(), json["unit"].text(), value_from(json["naive"]),
                       value_from(json["optimized"])};
  if (json.has("published")) {
    const auto published = json["published"];
    figure.published = PublishedChange{value_from(published["before"]).value_or(0),
                                       value_from(published["after"]), published["where"].text()};
  }
  return figure;
}

}  // namespace

std::string to_string(const Schedule& schedule) {
  return fmt::format("wait={},warmup={},active={},repeat={}", schedule.wait, schedule.warmup, schedule.active,
                     schedule.repeat);
}

Schedule parse_schedule(const std::string& text, const std::string& flag, const Schedule& otherwise) {
  auto schedule = otherwise;
  std::string_view rest = text;
  std::set<std::string_view> named;
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    const auto word = rest.substr(0, comma);
    bool taken = false;
    for (const auto& part : parts) taken = taken || take(word, part, schedule);
    if (!taken)
      refuse(
          text, flag,
          fmt::format("'{}' is not a part of a schedule; parts are whole numbers, active and repeat from 1",
                      word));
    if (!named.insert(word.substr(0, word.find('='))).second)
      refuse(text, flag, fmt::format("duplicate part '{}'", word.substr(0, word.find('='))));
    rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
  }
  return schedule;
}

Json profile_to_json(const RowProfile& profile) {
  Json json;
  json["schedule"] = to_string(profile.schedule);
  if (!profile.reason.empty()) json["reason"] = profile.reason;
  json["forms"] = Json::array();
  for (const auto& form : profile.forms) json["forms"].push_back(form_to_json(form));
  json["per_run"] = Json::array();
  for (const auto& figure : profile.figures) json["per_run"].push_back(figure_to_json(figure));
  return json;
}

RowProfile profile_from_json(const Field& json) {
  RowProfile profile;
  profile.schedule = parse_schedule(json["schedule"].text(), json["schedule"].path(), {});
  if (json.has("reason")) profile.reason = json["reason"].text();
  for (const auto& form : json["forms"].entries()) profile.forms.push_back(form_profile_from(form));
  for (const auto& figure : json["per_run"].entries()) profile.figures.push_back(figure_from_json(figure));
  return profile;
}

}  // namespace harness::results
