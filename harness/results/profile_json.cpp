#include "harness/results/profile_json.hpp"

#include "harness/results/samples_json.hpp"

namespace harness::results {
namespace {

constexpr int most_runs = 1'000'000'000;

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
          {"page_faults", finite(form.page_faults)},
          {"waits", finite(form.waits)},
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
          .traces = json["traces"].texts(),
          .page_faults = json.has("page_faults") ? json["page_faults"].number() : 0,
          .waits = json.has("waits") ? json["waits"].number() : 0};
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
