// `tuneproof simulate`: a recorded row on a GPU on paper, that you need not have, both forms, and what the
// tip would be worth.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/simulate/bounds.hpp"
#include "harness/simulate/gpu.hpp"
#include "harness/simulate/recording.hpp"
#include "harness/simulate/simulated_timeline.hpp"
#include "harness/support/terminal.hpp"
#include "harness/trace/foreign.hpp"

namespace harness::simulate {

using trace::simulated_warning;

struct SimulatedForm {
  std::string form;
  Timeline line;
  double seconds = 0;
  Interval interval = {};  // where the seconds lie if the model is off as it was before
};

struct SimulatedRow {
  std::string row;
  std::string gpu;  // its title
  std::vector<SimulatedForm> forms;
  std::string reason;  // why it cannot be simulated; empty: it can
  std::string note = {};
  Interval ratio_interval = {};

  /// The last form's time over the first one's.
  double ratio() const;
};

/// A row with work that nobody counted, or that the sheet has no rate for, comes back with the reason.
/// Without known errors there are no intervals.
SimulatedRow simulate_row(const RowRecord& row, const Gpu& gpu, const ModelErrors& errors = {});

std::vector<SimulatedRow> simulate_rows(const Recording& recording, const std::vector<Gpu>& gpus);

std::string simulated_table(const std::vector<SimulatedRow>& rows, const Style& style);

/// A line for each row, a column for each GPU: where does each change pay?
std::string table_by_gpu(const std::vector<SimulatedRow>& rows, const std::vector<Gpu>& gpus,
                         const Style& style);

/// A file of a kind of its own, `tuneproof.simulation`, which no reader of measurements takes.
/// `note` says what the recording is.
Json simulation_to_json(const std::vector<SimulatedRow>& rows, const std::vector<Gpu>& gpus,
                        const std::string& note);

/// The time line as a profiler's trace, which Perfetto shows and `diagnose` judges.
Json trace_of(const SimulatedForm& form, const SimulatedRow& row);

/// Declares the subcommand.
void add_simulate(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen);

}  // namespace harness::simulate
