#include "harness/cli/run_profile.hpp"

#include "harness/cli/run_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace harness {
namespace {

/// What came of it, as it stands in the results.
RowProfile outcome(Profiled profiled, const CatalogueStep& step, const Schedule& schedule) {
  if (!profiled.row.profile)
    return {.schedule = schedule, .forms = {}, .figures = {}, .reason = std::move(profiled.row.reason)};
  add_published(*profiled.row.profile, step);
  return *std::move(profiled.row.profile);
}

}  // namespace

void add_published(RowProfile& profile, const CatalogueStep& step) {
  for (auto& figure : profile.figures) {
    const auto found = std::ranges::find(step.published_profile, figure.name, &CatalogueFigure::name);
    if (found != step.published_profile.end())
      figure.published = PublishedChange{found->before, found->after, found->where};
  }
}

std::optional<int> profile_finished_rows(RunOutput& output, const std::vector<PlannedRow>& planned,
                                         const ProfileOrder& order, SignalWatch& signals) {
  for (std::size_t i = 0; i < output.results().rows.size() && !output.abandoned(); ++i) {
    if (is_error(output.results().rows[i])) continue;
    output.say("profiling " + planned[i].row->name);
    auto one = order;
    one.assignment.rows = {blank_row(planned[i])};
    auto profiled =
        profile(one, {[](int, int) {}, [&](const std::string& line) { output.say(line); }}, signals);
    if (profiled.signal) return profiled.signal;
    output.end_profile(
        i, outcome(std::move(profiled), *planned[i].step, order.assignment.job.profile->schedule));
  }
  return std::nullopt;
}

}  // namespace harness
