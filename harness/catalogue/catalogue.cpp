#include "harness/catalogue/catalogue.hpp"

#include "harness/core/judged_figure.hpp"
#include "harness/support/field.hpp"

#include <simdjson.h>

#include <new>
#include <utility>

namespace harness::catalogue {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<Runs, std::string_view>, 4> runs_names{
    {{Runs::host, "host"}, {Runs::cuda, "cuda"}, {Runs::each, "each"}, {Runs::session, "session"}}};
constexpr std::array outcomes{Outcome::helps, Outcome::no_effect, Outcome::hurts, Outcome::depends};

/// Each start of the program reads the catalogue: 13 ms with nlohmann's parser, 2 ms with simdjson's.
using Read = simdjson::dom::element;

Runs runs_from(const std::string& text) {
  for (const auto& [value, name] : runs_names)
    if (name == text) return value;
  throw BadInput("the catalog's 'runs' is '" + text + "', which is none of host, cuda, each, session");
}

Outcome outcome_from(const std::string& text) {
  for (const auto value : outcomes)
    if (to_string(value) == text) return value;
  throw BadInput("the catalog's 'expected' is '" + text + "', which is not an outcome");
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

std::string text(Read json) { return std::string(json.get_string().value()); }

template <class T>
T value_or(Read json, std::string_view name, T otherwise) {
  Read found;
  return json[name].get(found) == simdjson::SUCCESS ? found.get<T>().value() : otherwise;
}

Row row_of(Read json) {
  Row row{.name = text(json["name"]),
          .at = {},
          .device = text(json["device"]) == "cuda" ? Device::Kind::cuda : Device::Kind::cpu,
          .quick = json["quick"],
          .expected = outcome_from(text(json["expected"])),
          .seconds = value_or(json, "seconds", 0.0),
          .full = value_or(json, "full", true),
          .package_seconds = value_or(json, "package_seconds", 0.0),
          .claims = value_or(json, "claims", false)};
  for (const auto c : json["at"]) row.at.push_back({text(c["axis"]), c["value"], text(c["text"])});
  return row;
}

Json figure_json(const Figure& figure) {
  return {{"name", figure.name},
          {"unit", figure.unit},
          {"before", figure.before},
          {"after", figure.after ? Json(*figure.after) : Json(nullptr)},
          {"where", figure.where}};
}

Figure figure_of(Read json) {
  Figure figure{text(json["name"]), text(json["unit"]), text(json["where"]), json["before"], {}};
  if (const Read after = json["after"]; !after.is_null()) figure.after = double(after);
  return figure;
}

Step step_of(Read json) {
  const Read source = json["source"];
  Step step{.id = text(json["id"]),
            .claim = text(json["claim"]),
            .claim_ids = text(json["claim_ids"]),
            .naive = text(json["sides"].at(0)),
            .optimized = text(json["sides"].at(1)),
            .source_title = text(source["title"]),
            .source_url = text(source["url"]),
            .source_where = text(source["where"]),
            .published = text(json["published"]),
            .about = text(json["about"]),
            .tolerance_why = text(json["tolerance_why"]),
            .cuda_tolerance_why = text(json["cuda_tolerance_why"]),
            .file = text(json["file"]),
            .expected = outcome_from(text(json["expected"])),
            .runs = runs_from(text(json["runs"])),
            .tolerance = json["tolerance"],
            .cuda_tolerance = json["cuda_tolerance"],
            .delta = json["delta"],
            .naive_may_be_wrong = value_or(json, "naive_may_be_wrong", false),
            .axes = {},
            .rows = {},
            .published_profile = {}};
  for (const auto axis : json["axes"]) step.axes.push_back({text(axis["name"]), text(axis["about"])});
  for (const auto row : json["rows"]) step.rows.push_back(row_of(row));
  for (const auto figure : json["published_profile"]) step.published_profile.push_back(figure_of(figure));
  return step;
}

/// A blank one where the catalogue does not have it.
Row found_row(const Catalogue& catalogue, std::string_view step, std::string_view row) {
  const auto of = std::ranges::find(catalogue.steps, step, &Step::id);
  if (of == catalogue.steps.end()) return {};
  const auto found = std::ranges::find(of->rows, row, &Row::name);
  return found == of->rows.end() ? Row{} : *found;
}

// The worker's half of the catalogue: from the table of steps.

std::vector<Device::Kind> kinds_of(Runs runs) {
  using enum Device::Kind;
  if (runs == Runs::host) return {cpu};
  if (runs == Runs::cuda) return {cuda};
  return {cpu, cuda};
}

/// `at` is "unit:epoch".
bool is_at(const Point& point, std::string_view at) {
  return std::ranges::any_of(point.at, [&](const auto& c) { return c.axis + ":" + c.text == at; });
}

/// A cost may lie at "device:cpu" too.
double seconds_of(const core::Step& step, const Point& point, const Device& device) {
  const auto other = std::ranges::find_if(step.other_costs, [&](const auto& cost) {
    return is_at(point, cost.at) || (!device.is_cuda() && cost.at == "device:cpu");
  });
  return other == step.other_costs.end() ? step.row_seconds : other->seconds;
}

double package_seconds_of(const core::Step& step, const Point& point) {
  return step.packages_at.empty() || is_at(point, step.packages_at) ? step.package_seconds : 0;
}

std::vector<Row> rows_of(const core::Step& step) {
  std::vector<Row> rows;
  for (const auto kind : kinds_of(step.runs)) {
    const Device device{kind, 0};
    bool first = true;
    for (auto& point : points(step, device)) {
      auto name = row_name(step, point, device);
      const auto expected = expected_of(step, point, device);
      const auto seconds = seconds_of(step, point, device);
      const auto packages = package_seconds_of(step, point);
      const bool quick = point.quick && step.suite == Suite::quick;
      const bool full = point.full && step.suite != Suite::named;
      const bool claims = point.quick && step.suite == Suite::full && std::exchange(first, false);
      rows.push_back(
          {std::move(name), std::move(point.at), kind, quick, expected, seconds, full, packages, claims});
    }
  }
  return rows;
}

std::vector<Axis> axes_of(const core::Step& step) {
  std::vector<Axis> axes;
  for (const auto& axis : step.axes) axes.push_back({std::string(axis.name), std::string(axis.about)});
  return axes;
}

std::vector<Figure> figures_of(const core::Step& step) {
  std::vector<Figure> figures;
  for (const auto& f : step.published_profile)
    figures.push_back({std::string(f.name), std::string(f.unit), std::string(f.where), f.before, f.after});
  return figures;
}

/// "positions:2048 except dtype:float". Empty where the source speaks of all points.
std::string about_text(const Expectation& expectation) {
  std::string text(expectation.about);
  if (!text.empty() && !expectation.except.empty()) text += " except " + std::string(expectation.except);
  return text;
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

std::string_view outcome_text(const Step& step, Outcome outcome) {
  if (step.naive == timer_sides.naive && outcome == Outcome::helps) return "too much";
  if (step.naive == timer_sides.naive && outcome == Outcome::hurts) return "too little";
  return to_string(outcome);
}

std::string_view expected_text(const Step& step) {
  return step.naive_may_be_wrong ? "a wrong answer, cured" : outcome_text(step, step.expected);
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
    simdjson::dom::parser parser;
    const Read parsed = parser.parse(json.data(), json.size());
    Catalogue catalogue;
    for (const auto step : parsed["steps"]) catalogue.steps.push_back(step_of(step));
    for (const auto option : parsed["options"])
      catalogue.options.push_back(
          {text(option["name"]), text(option["value"]), text(option["meaning"]), text(option["steps"])});
    return catalogue;
  } catch (const simdjson::simdjson_error& error) {
    if (error.error() == simdjson::MEMALLOC) throw std::bad_alloc();
    throw BadInput(std::string("cannot read the catalog of steps: ") + error.what());
  }
}

Catalogue catalogue_of(Steps steps, std::vector<Option> options) {
  Catalogue catalogue{.steps = {}, .options = std::move(options)};
  for (const auto* step : steps)
    catalogue.steps.push_back({.id = std::string(step->id),
                               .claim = std::string(step->claim),
                               .claim_ids = std::string(step->claim_ids),
                               .naive = std::string(step->sides.naive),
                               .optimized = std::string(step->sides.optimized),
                               .source_title = std::string(step->source.title),
                               .source_url = std::string(step->source.url),
                               .source_where = std::string(step->source.where),
                               .published = std::string(step->expectation.published),
                               .about = about_text(step->expectation),
                               .tolerance_why = std::string(step->tolerance.why),
                               .cuda_tolerance_why = std::string(step->cuda_tolerance.why),
                               .file = {},
                               .expected = step->expectation.outcome,
                               .runs = step->runs,
                               .tolerance = step->tolerance.relative,
                               .cuda_tolerance = step->cuda_tolerance.relative,
                               .delta = step->delta,
                               .naive_may_be_wrong = step->naive_may_be_wrong,
                               .axes = axes_of(*step),
                               .rows = rows_of(*step),
                               .published_profile = figures_of(*step)});
  return catalogue;
}

namespace {

/// `mark` stands behind the point.
struct Marked {
  std::string point;
  std::string mark;
  bool on_cpu = false;
};

std::vector<Marked> marked_points(const Step& step) {
  std::vector<Marked> all;
  for (const auto& row : step.rows) {
    std::string point;
    for (const auto& c : row.at) point += (point.empty() ? "" : "/") + c.axis + ":" + c.text;
    auto known = std::ranges::find(all, point, &Marked::point);
    if (known == all.end()) known = all.insert(known, {point, row.quick ? "" : row.full ? "*" : "**"});
    known->on_cpu = known->on_cpu || row.device == Device::Kind::cpu;
  }
  return all;
}

}  // namespace

std::string points_text(const Step& step) {
  const bool both = step.runs == Runs::each || step.runs == Runs::session;
  std::string text;
  for (const auto& [point, mark, on_cpu] : marked_points(step))
    text += (text.empty() ? "" : ", ") + (point.empty() ? "one" : point) + mark +
            (both && !on_cpu ? " (CUDA)" : "");
  if (text.find('*') != text.npos) text += " (* not in --suite quick";
  if (text.find("**") != text.npos) text += "; ** in no suite; select it by name or --point";
  return text + (text.find('*') == text.npos ? "" : ")");
}

}  // namespace harness::catalogue
