// The worker's half of the catalogue: from the table of steps.
#include "harness/catalogue/catalogue.hpp"

#include <algorithm>
#include <utility>

namespace harness::catalogue {
namespace {

std::vector<Device::Kind> kinds_of(Runs runs) {
  using enum Device::Kind;
  if (runs == Runs::host) return {cpu};
  if (runs == Runs::cuda) return {cuda};
  return {cpu, cuda};
}

double seconds_of(const core::Step& step, const Point& point) {
  for (const auto& cost : step.other_costs)
    for (const auto& c : point.at)
      if (c.axis + ":" + c.text == cost.at) return cost.seconds;
  return step.row_seconds;
}

std::vector<Row> rows_of(const core::Step& step, NotInSuites apart) {
  std::vector<Row> rows;
  for (const auto kind : kinds_of(step.runs)) {
    const Device device{kind, 0};
    for (auto& point : points(step, device)) {
      auto name = row_name(step, point, device);
      const auto expected = expected_of(step, point, device);
      const auto seconds = seconds_of(step, point);
      const bool full = std::ranges::none_of(
          apart, [&](std::string_view part) { return name.find(part) != std::string::npos; });
      const bool quick = full && point.quick && !step.full_only;
      rows.push_back({std::move(name), std::move(point.at), kind, quick, expected, seconds, full});
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

Catalogue catalogue_of(Steps steps, std::vector<Option> options, NotInSuites apart) {
  Catalogue catalogue{.steps = {}, .options = std::move(options)};
  for (const auto* step : steps)
    catalogue.steps.push_back({.id = std::string(step->id),
                               .claim = std::string(step->claim),
                               .claim_ids = std::string(step->claim_ids),
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
                               .package_seconds = step->package_seconds,
                               .naive_may_be_wrong = step->naive_may_be_wrong,
                               .axes = axes_of(*step),
                               .rows = rows_of(*step, apart),
                               .published_profile = figures_of(*step)});
  return catalogue;
}

}  // namespace harness::catalogue
