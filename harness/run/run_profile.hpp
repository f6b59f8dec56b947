// One row under the profiler, from the parent's side: a worker of its own, its traces kept, and the
// published columns from them. For `tuneproof run --profile`, each finished row once more.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/results/row.hpp"
#include "harness/run/rounds.hpp"
#include "harness/run/run_output.hpp"
#include "harness/run/select.hpp"
#include "harness/run/supervisor.hpp"
#include "harness/support/signals.hpp"

namespace harness::run {

struct ProfileOrder {
  /// One row; `task.profile` says what of it. Its folder is filled in here.
  WorkerPlan worker_plan;
  std::filesystem::path out;  // for the traces
};

/// Called meanwhile.
struct ProfileReports {
  std::function<void(int done, int of)> walked;       // passes through the schedule
  std::function<void(const std::string& line)> said;  // what the worker printed
};

struct Profiled {
  results::Row row;           // with its profile, or skipped or failed with the reason
  std::optional<int> signal;  // that ended it early; then nothing is left behind
};

/// Runs the row and keeps its traces, named after row and form. Throws BadInput where the user's input is
/// wrong or the traces cannot be stored.
Profiled profile(const ProfileOrder& order, const ProfileReports& reports, SignalWatch& signals);

/// The published figures of the step, each beside the column of its name, where the source speaks of the
/// row's point.
void add_published(results::RowProfile& profile, const catalogue::Step& step,
                   const std::vector<Coordinate>& at);

/// Profiles the rows that have a result, each in a process of its own, and stores what each showed; `order`
/// is complete but for the row. It may take as long as `limits` say, and says what it has left out. Returns
/// the signal that ended it early, if one did.
std::optional<int> profile_finished_rows(results::Results& results, const catalogue::Catalogue& catalogue,
                                         const ProfileOrder& order, const Limits& limits, RunOutput& output,
                                         SignalWatch& signals);

// Where a profile's traces lie: .gz under the name that TensorBoard and HTA look for.

/// "sync/item_every_step/n:256" -> "sync-item_every_step-n_256": a row's name as part of a file's name.
std::string file_name_of(const std::string& row);

/// Packs the JSON file, which is used up, into `folder` as NAME.<milliseconds>.pt.trace.json.gz, and returns
/// that file. It is there as a whole or not at all, and never takes the place of another.
/// Throws BadInput where it cannot be read or written.
std::filesystem::path keep_trace(const std::filesystem::path& json, const std::filesystem::path& folder,
                                 const std::string& name);

/// Self CPU, Self CUDA, aten::copy_ and Memcpy HtoD of one run of each form, from PyTorch's op table of its
/// traces. Columns of the device are empty where the traces hold none of its work. Throws BadInput where a
/// trace cannot be read.
std::vector<results::ProfileFigure> profile_figures(const std::vector<results::FormProfile>& forms);

}  // namespace harness::run
