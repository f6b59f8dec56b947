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

/// `at` is "unit:epoch".
bool is_at(const Point& point, std::string_view at) {
  return std::ranges::any_of(point.at, [&](const auto& c) { return c.axis + ":" + c.text == at; });
}

double seconds_of(const core::Step& step, const Point& point) {
  const auto other =
      std::ranges::find_if(step.other_costs, [&](const auto& cost) { return is_at(point, cost.at); });
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
      const auto seconds = seconds_of(step, point);
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

}  // namespace harness::catalogue
