// What was asked of `tuneproof simulate`, and the recording that it asks for: each form of a row runs once on
// the stand-in (stand_in/), which notes its calls.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/results/row.hpp"
#include "harness/run/run_arguments.hpp"
#include "harness/simulate/recording.hpp"
#include "harness/support/signals.hpp"

namespace harness::simulate {

/// As typed.
struct SimulateArguments {
  run::RunArguments run;
  std::vector<std::string> gpus, settings;
  std::string from, record, json, trace, sweep, host;
  std::string scales;  // empty: usual_scales
  bool published = false;
  bool lines = false;
};

struct Asked {
  Recording recording;
  std::optional<int> signal = {};  // that stopped the recording
};

/// Reads it, or records it on the stand-in and stores it where that was asked. A recording that was stopped
/// keeps the rows that it has, and names those that it lost; without any it stores nothing. Throws BadInput
/// where no row can be recorded.
Asked recording_of(const SimulateArguments& arguments, const catalogue::Program& program);

/// What the stand-in and the worker wrote: calls between marks. Throws BadInput naming file and line.
Recording calls_from_text(std::string_view text, const std::string& name);

struct Recorded {
  Recording recording;             // a row that could not be recorded has the reason instead of forms
  std::optional<int> signal = {};  // that stopped it: rows are missing
};

}  // namespace harness::simulate
