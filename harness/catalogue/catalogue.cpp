#include "harness/catalogue/catalogue.hpp"

#include "harness/support/field.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <utility>

namespace harness::catalogue {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<Runs, std::string_view>, 4> runs_names{
    {{Runs::host, "host"}, {Runs::cuda, "cuda"}, {Runs::each, "each"}, {Runs::session, "session"}}};
constexpr std::array outcomes{Outcome::helps, Outcome::no_effect, Outcome::hurts, Outcome::depends};

Runs runs_from(const std::string& text) {
  for (const auto& [value, name] : runs_names)
    if (name == text) return value;
  throw BadInput("the catalogue's 'runs' is '" + text + "', which is none of host, cuda, each, session");
}

Outcome outcome_from(const std::string& text) {
  for (const auto value : outcomes)
    if (to_string(value) == text) return value;
  throw BadInput("the catalogue's 'expected' is '" + text + "', which is not an outcome");
}

Json row_json(const Row& row) {
  auto at = Json::array();
  for (const auto& c : row.at) at.push_back({{"axis", c.axis}, {"value", c.value}, {"text", c.text}});
  return {{"name", row.name},
          {"device", row.device == Device::Kind::cuda ? "cuda" : "cpu"},
          {"quick", row.quick},
          {"expected", to_string(row.expected)},
          {"seconds", row.seconds},
          {"full", row.full},
          {"claims", row.claims},
          {"at", std::move(at)},
          {"package_seconds", row.package_seconds}};
}

Row row_of(const Json& json) {
  Row row{.name = json.at("name"),
          .at = {},
          .device = json.at("device") == "cuda" ? Device::Kind::cuda : Device::Kind::cpu,
          .quick = json.at("quick"),
          .expected = outcome_from(json.at("expected")),
          .seconds = json.value("seconds", 0.0),
          .full = json.value("full", true),
          .package_seconds = json.value("package_seconds", 0.0),
          .claims = json.value("claims", false)};
  for (const auto& c : json.at("at")) row.at.push_back({c.at("axis"), c.at("value"), c.at("text")});
  return row;
}

Json figure_json(const Figure& figure) {
  return {{"name", figure.name},
          {"unit", figure.unit},
          {"before", figure.before},
          {"after", figure.after ? Json(*figure.after) : Json(nullptr)},
          {"where", figure.where}};
}

Figure figure_of(const Json& json) {
  Figure figure{json.at("name"), json.at("unit"), json.at("where"), json.at("before"), {}};
  if (!json.at("after").is_null()) figure.after = json.at("after").get<double>();
  return figure;
}

Step step_of(const Json& json) {
  Step step{.id = json.at("id"),
            .claim = json.at("claim"),
            .claim_ids = json.at("claim_ids"),
            .naive = json.at("sides").at(0),
            .optimized = json.at("sides").at(1),
            .source_title = json.at("source").at("title"),
            .source_url = json.at("source").at("url"),
            .source_where = json.at("source").at("where"),
            .published = json.at("published"),
            .about = json.at("about"),
            .tolerance_why = json.at("tolerance_why"),
            .cuda_tolerance_why = json.at("cuda_tolerance_why"),
            .file = json.at("file"),
            .expected = outcome_from(json.at("expected")),
            .runs = runs_from(json.at("runs")),
            .tolerance = json.at("tolerance"),
            .cuda_tolerance = json.at("cuda_tolerance"),
            .delta = json.at("delta"),
            .naive_may_be_wrong = json.value("naive_may_be_wrong", false),
            .axes = {},
            .rows = {},
            .published_profile = {}};
  for (const auto& axis : json.at("axes")) step.axes.push_back({axis.at("name"), axis.at("about")});
  for (const auto& row : json.at("rows")) step.rows.push_back(row_of(row));
  for (const auto& figure : json.at("published_profile")) step.published_profile.push_back(figure_of(figure));
  return step;
}

/// A blank one where the catalogue does not have it.
Row found_row(const Catalogue& catalogue, std::string_view step, std::string_view row) {
  const auto of = std::ranges::find(catalogue.steps, step, &Step::id);
  if (of == catalogue.steps.end()) return {};
  const auto found = std::ranges::find(of->rows, row, &Row::name);
  return found == of->rows.end() ? Row{} : *found;
}

}  // namespace

std::string_view to_string(Runs runs) {
  for (const auto& [value, name] : runs_names)
    if (value == runs) return name;
  return "?";
}

nlohmann::ordered_json step_json(const Step& step) {
  auto rows = Json::array();
  for (const auto& row : step.rows) rows.push_back(row_json(row));
  auto axes = Json::array();
  for (const auto& axis : step.axes) axes.push_back({{"name", axis.name}, {"about", axis.about}});
  auto figures = Json::array();
  for (const auto& figure : step.published_profile) figures.push_back(figure_json(figure));
  return {{"id", step.id},
          {"claim", step.claim},
          {"claim_ids", step.claim_ids},
          {"sides", {step.naive, step.optimized}},
          {"source", {{"title", step.source_title}, {"url", step.source_url}, {"where", step.source_where}}},
          {"expected", to_string(step.expected)},
          {"published", step.published},
          {"about", step.about},
          {"runs", to_string(step.runs)},
          {"tolerance", step.tolerance},
          {"tolerance_why", step.tolerance_why},
          {"cuda_tolerance", step.cuda_tolerance},
          {"cuda_tolerance_why", step.cuda_tolerance_why},
          {"delta", step.delta},
          {"naive_may_be_wrong", step.naive_may_be_wrong},
          {"file", step.file},
          {"axes", std::move(axes)},
          {"published_profile", std::move(figures)},
          {"rows", std::move(rows)}};
}

std::string_view expected_text(const Step& step) {
  return step.naive_may_be_wrong ? "a wrong answer, cured" : to_string(step.expected);
}

double row_seconds(const Catalogue& catalogue, std::string_view step, std::string_view row) {
  return found_row(catalogue, step, row).seconds;
}

double package_seconds(const Catalogue& catalogue, std::string_view step, std::string_view row) {
  return found_row(catalogue, step, row).package_seconds;
}

std::string catalogue_json(const Catalogue& catalogue) {
  Json json{{"steps", Json::array()}, {"options", Json::array()}};
  for (const auto& step : catalogue.steps) json["steps"].push_back(step_json(step));
  for (const auto& option : catalogue.options)
    json["options"].push_back({{"name", option.name},
                               {"value", option.value},
                               {"meaning", option.meaning},
                               {"steps", option.steps}});
  return json.dump(1);
}

std::string catalogue_json(Steps steps, const std::vector<Option>& options) {
  return catalogue_json(catalogue_of(steps, options));
}

Catalogue parse_catalogue(std::string_view json) {
  try {
    const auto parsed = Json::parse(json);
    Catalogue catalogue;
    for (const auto& step : parsed.at("steps")) catalogue.steps.push_back(step_of(step));
    for (const auto& option : parsed.at("options"))
      catalogue.options.push_back(
          {option.at("name"), option.at("value"), option.at("meaning"), option.at("steps")});
    return catalogue;
  } catch (const nlohmann::json::exception& error) {
    throw BadInput("cannot read the catalogue of steps: " + reason_of(error));
  }
}

}  // namespace harness::catalogue
