// Records what rows ask of a device: each form runs once on the stand-in (stand_in/), which notes its calls.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/results/row.hpp"
#include "harness/run/run_arguments.hpp"
#include "harness/simulate/recording.hpp"
#include "harness/support/signals.hpp"

namespace harness::simulate {

/// What the stand-in and the worker wrote: calls between marks. Throws BadInput naming file and line.
Recording calls_from_text(std::string_view text, const std::string& name);

struct Recorded {
  Recording recording;             // a row that could not be recorded has the reason instead of forms
  std::optional<int> signal = {};  // that stopped it: rows are missing
};

/// The CUDA rows that the plan selects, in the catalogue's order. Throws BadInput where there are none.
std::vector<results::Row> rows_to_record(const run::RunPlan& plan, const catalogue::Program& program);

/// Records them, on a device with half of the memory that is free here: what its form gives a device, the
/// host holds too. Throws BadInput where the stand-in is not built.
Recorded record_rows(const run::RunPlan& plan, std::vector<results::Row> rows,
                     const catalogue::Program& program, SignalWatch& signals,
                     const std::function<void(const std::string&)>& say);

}  // namespace harness::simulate
