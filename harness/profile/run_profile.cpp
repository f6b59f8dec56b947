#include "harness/profile/run_profile.hpp"

#include "harness/profile/figures.hpp"
#include "harness/profile/trace_file.hpp"
#include "harness/run/rounds.hpp"
#include "harness/support/scratch_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace harness::profile {
namespace {

/// The traces under their final names, beside each other.
void keep(results::RowProfile& profile, const std::string& row, const std::filesystem::path& out) {
  for (auto& form : profile.forms)
    for (auto& trace : form.traces)
      trace = keep_trace(trace, out, file_name_of(row) + "-" + std::string(to_string(form.form))).string();
  profile.figures = profile_figures(profile.forms);
}

/// What came of it, as it stands in the results.
results::RowProfile outcome(Profiled profiled, const catalogue::Step& step,
                            const results::Schedule& schedule) {
  if (!profiled.row.profile)
    return {.schedule = schedule, .forms = {}, .figures = {}, .reason = std::move(profiled.row.reason)};
  add_published(*profiled.row.profile, step, profiled.row.at);
  return *std::move(profiled.row.profile);
}

}  // namespace

Profiled profile(const ProfileOrder& order, const ProfileReports& reports, SignalWatch& signals) {
  auto worker_plan = order.worker_plan;
  const ScratchFolder scratch(order.out);
  worker_plan.task.profile->folder = scratch.path().string();
  Profiled result;
  const run::Reports heard{.begun = [](const std::string&) {},
                           .ended = [&](results::Row row) { result.row = std::move(row); },
                           .said = reports.said,
                           .stop = [] { return false; },
                           .walked = reports.walked};
  result.signal = run::Supervisor(worker_plan, heard, signals).run().signal;
  if (!result.signal && result.row.profile) keep(*result.row.profile, result.row.name, order.out);
  return result;
}

void add_published(results::RowProfile& profile, const catalogue::Step& step,
                   const std::vector<Coordinate>& at) {
  const auto meant = [&](const Coordinate& c) { return c.axis + ":" + c.text == step.about; };
  if (!step.about.empty() && std::ranges::none_of(at, meant)) return;
  for (auto& figure : profile.figures) {
    const auto found = std::ranges::find(step.published_profile, figure.name, &catalogue::Figure::name);
    if (found != step.published_profile.end())
      figure.published = results::PublishedChange{found->before, found->after, found->where};
  }
}

std::optional<int> profile_finished_rows(results::Results& results, const catalogue::Catalogue& catalogue,
                                         const ProfileOrder& order, const run::Limits& limits,
                                         run::RunOutput& output, SignalWatch& signals) {
  const auto begin = std::chrono::steady_clock::now();
  std::size_t left_out = 0;
  for (auto& row : results.rows) {
    if (output.abandoned()) break;
    const auto step = std::ranges::find(catalogue.steps, row.step, &catalogue::Step::id);
    if (results::is_error(row) || step == catalogue.steps.end()) continue;
    auto one = order;
    if (limits.budget) {
      one.worker_plan.budget = *limits.budget - (std::chrono::steady_clock::now() - begin);
      if (one.worker_plan.budget->count() <= 0) {
        ++left_out;
        continue;
      }
    }
    output.say("profiling " + row.name);
    one.worker_plan.rows = {run::place_of(row)};
    auto profiled =
        profile(one, {[](int, int) {}, [&](const std::string& line) { output.say(line); }}, signals);
    if (profiled.signal) return profiled.signal;
    if (profiled.row.name.empty()) {  // it had not ended
      ++left_out;
      continue;
    }
    row.profile = outcome(std::move(profiled), *step, order.worker_plan.task.profile->schedule);
    output.store(results);
  }
  if (left_out > 0) output.say(run::left_out_text("profiled", left_out, limits));
  return std::nullopt;
}

}  // namespace harness::profile
