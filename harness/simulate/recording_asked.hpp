// What was asked of `tuneproof simulate`, and the recording that it asks for.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/run/run_arguments.hpp"
#include "harness/simulate/recording.hpp"

#include <string>
#include <vector>

namespace harness::simulate {

/// As typed.
struct SimulateArguments {
  run::RunArguments run;
  std::vector<std::string> gpus, settings;
  std::string from, record, json, trace, sweep, host, scales;
  bool published = false;
  bool lines = false;
};

/// Reads it, or records it on the stand-in and stores it where that was asked. A recording that was stopped
/// keeps the rows that it has. Throws BadInput where there is no row.
Recording recording_of(const SimulateArguments& arguments, const catalogue::Program& program);

}  // namespace harness::simulate
