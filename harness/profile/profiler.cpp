#include "harness/profile/profiler.hpp"

#include "harness/profile/figures.hpp"
#include "harness/profile/trace_file.hpp"

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

}  // namespace

Profiled profile(const ProfileOrder& order, const ProfileReports& reports, SignalWatch& signals) {
  auto assignment = order.assignment;
  const ScratchFolder scratch(order.out);
  assignment.job.profile->folder = scratch.path().string();
  Profiled result;
  const run::Reports heard{.begun = [](const std::string&) {},
                           .ended = [&](results::Row row) { result.row = std::move(row); },
                           .said = reports.said,
                           .stop = [] { return false; },
                           .walked = reports.walked};
  result.signal = run::Supervisor(assignment, heard, signals).run().signal;
  if (!result.signal && result.row.profile) keep(*result.row.profile, result.row.name, order.out);
  return result;
}

}  // namespace harness::profile
